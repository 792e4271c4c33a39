"""Short messages of our own, English and Chinese, written by a grammar: what there is where no corpus is given.

A pattern names slots in braces; each slot has a list of words, which may name slots again. Two messages of one pattern
share its frame and differ in what fills it, as real messages of one purpose do: they are not duplicates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from neardup.errors import SettingsError
from neardup.reproduce.random_stream import RandomStream

LANGUAGES = ("english", "chinese")
SLOT = re.compile(r"\{(\w+)\}")
MANY_TRIES = 50


def write_messages(language: str, seed: int, count: int) -> list[str]:
    """Write so many different messages."""
    if language not in LANGUAGES:
        raise SettingsError(f"language is {language!r}, but must be one of {', '.join(LANGUAGES)}")
    patterns, slots = (ENGLISH, ENGLISH_SLOTS) if language == "english" else (CHINESE, CHINESE_SLOTS)
    rng = RandomStream(seed, f"messages {language}")
    joint = " " if language == "english" else ""
    found: dict[str, None] = {}
    parts, tries = 1, 0
    while len(found) < count:
        # One sentence as a rule; where all of them are used up, two and more.
        sentences = parts + rng.below(2)
        message = joint.join(_fill(rng.pick(patterns), slots, rng) for _ in range(sentences))
        tries = tries + 1 if message in found else 0
        parts += tries > MANY_TRIES
        found[message] = None
    return list(found)


def _fill(pattern: str, slots: Mapping[str, Sequence[str]], rng: RandomStream) -> str:
    while SLOT.search(pattern):
        pattern = SLOT.sub(lambda slot: rng.pick(slots[slot.group(1)]), pattern)
    return pattern


ENGLISH = (
    "Meet me at the {place} at {hour}, bring your {thing}.",
    "Are you free on {day}? {name} wants to see the new {show}.",
    "Your parcel with the {thing} arrives {day} between {hour} and {hour}.",
    "Reminder: your appointment at the {place} is on {day} at {hour}, call {number} to change it.",
    "The {thing} you ordered is ready, collect it from the {place} before {day}.",
    "Can't talk now, I'm at the {place} with {name}. Will ring you {when}.",
    "Did {name} tell you about the {event}? I {feel} it.",
    "Get {percent} percent off every {thing} at our {place} until {day}, show code {code}.",
    "Running late because of the {delay}, start the {event} without me.",
    "Could you buy {food} and {food} on the way home from the {place}?",
    "{name} passed the {subject} exam, we celebrate with {food} {when}.",
    "The {subject} lecture moved to room {number} on {day}.",
    "My {relative} is in hospital after the {delay}, please cancel the {event}.",
    "I left my {thing} in your {vehicle}, can you drop it at the {place}?",
    "Thanks for the {thing}, my {relative} {feel} it.",
    "We need {small} volunteers for the {event} at the {place}, reply yes to join.",
    "Your account ending {number} was charged {number} for {thing} at the {place}.",
    "Weather warning: {weather} expected in the {region} {when}, avoid the {place}.",
    "The {vehicle} broke down near the {place}, {name} is waiting for the mechanic.",
    "Happy birthday {name}! Hope you get the {thing} you wanted.",
    "Which {show} are you watching {when}? Mine was {opinion}.",
    "Train {number} to the {region} is cancelled due to {weather}, take the {vehicle} instead.",
    "Dinner was {opinion}, especially the {food}. Same place on {day}?",
    "Please send me the {subject} notes before {hour}, {name} lost hers.",
    "How do I cook {food} without {food}? My {relative} is coming {when}.",
    "Selling my {adjective} {thing}, only {small} months old, {number} or best offer.",
    "Anyone know a good {worker} in the {region}? Our {thing} is broken.",
    "The {worker} comes on {day} to repair the {thing}, be home by {hour}.",
    "Vote for {name} in the {event}, text {code} to {number}.",
    "Congratulations, you won a {adjective} {thing}! Claim with code {code} before {day}.",
    "I dreamt that a {animal} ate my {subject} homework at the {place}.",
    "Our {animal} ran away near the {place}, {adjective} fur, please call {number}.",
    "Don't forget the {food} for {name}, the {event} begins at {hour}.",
    "What a {opinion} {event}! {name} sang about a {animal} and a {vehicle}.",
    "Rent for the flat in the {region} goes up to {number} from {day}.",
    "{name} and {name} are getting married at the {place}, save the {day}.",
)

ENGLISH_SLOTS: Mapping[str, Sequence[str]] = {
    "place": (
        *("station", "library", "harbour", "stadium", "bakery", "museum", "airport", "pharmacy", "market"),
        *("office", "cinema", "gym", "school canteen", "post office", "town hall", "swimming pool", "bus stop"),
        *("garage", "courthouse", "observatory", "zoo"),
        *("bookshop", "botanical garden", "dentist", "embassy", "laundry", "lighthouse", "ferry terminal", "chapel"),
    ),
    "hour": ("noon", "half past six", "7", "7.30", "8", "eight sharp", "9.15", "10", "3 pm", "quarter to five", "11"),
    "day": (
        *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "the {small}th", "tomorrow"),
        *("the weekend", "New Year's Eve", "the first of May", "the holiday"),
    ),
    "when": ("tonight", "tomorrow", "later", "in an hour", "after work", "next week", "on {day}", "this evening"),
    "name": (
        *("Anna", "Ben", "Clara", "David", "Elif", "Farid", "Grace", "Hugo", "Ivy", "Jonas", "Karin", "Leo", "Mei"),
        *("Nadia", "Oscar", "Priya", "Quentin", "Rosa", "Sami", "Tara", "Umar", "Vera", "Wei", "Yusuf", "Zoe"),
    ),
    "thing": (
        *("umbrella", "passport", "camera", "charger", "guitar", "raincoat", "sofa", "washing machine", "laptop"),
        *("bicycle", "headphones", "tent", "microwave", "printer", "helmet", "wallet", "kettle", "lamp"),
        *("suitcase", "violin", "calculator", "blanket", "jacket", "toaster", "carpet", "drill", "telescope"),
        *("watch", "boiler"),
    ),
    "show": (
        *("film about the {animal}", "documentary", "thriller", "musical", "series about {subject}", "comedy", "play"),
    ),
    "event": (
        *("meeting", "concert", "party", "match", "wedding", "rehearsal", "picnic", "marathon", "election", "workshop"),
        *("charity run", "quiz night", "book club", "exhibition", "barbecue", "chess tournament", "fire drill"),
    ),
    "feel": ("love", "hate", "really like", "cannot stand", "miss", "forgot", "dream about", "laughed about"),
    "delay": ("strike", "traffic jam", "flood", "snow", "flat tyre", "accident", "demonstration", "power cut"),
    "food": (
        *("milk", "bread", "rice", "noodles", "tomatoes", "fish", "olives", "cheese", "apples", "ginger", "pancakes"),
        *("dumplings", "lentils", "chocolate", "mushrooms", "pepper", "lemons", "soup", "eggs", "cabbage", "honey"),
    ),
    "subject": ("chemistry", "history", "statistics", "French", "law", "biology", "music", "geometry", "economics"),
    "relative": ("mother", "brother", "aunt", "grandfather", "cousin", "daughter", "neighbour", "flatmate", "boss"),
    "vehicle": ("car", "bus", "tram", "taxi", "van", "scooter", "boat", "truck", "minibus"),
    "weather": ("heavy rain", "thick fog", "ice", "storm", "hail", "extreme heat", "strong wind", "thunder"),
    "region": ("north", "valley", "old town", "east side", "islands", "hills", "suburbs", "city centre", "south bank"),
    "opinion": ("brilliant", "boring", "too long", "terrible", "surprisingly good", "sad", "delicious", "crazy"),
    "adjective": ("red", "grey", "silver", "wooden", "used", "black and white", "golden", "tiny", "huge", "blue"),
    "worker": ("plumber", "electrician", "tutor", "babysitter", "locksmith", "painter", "gardener", "roofer"),
    "animal": ("cat", "dog", "parrot", "rabbit", "tortoise", "horse", "hamster", "goat", "owl", "dolphin"),
    "digit": tuple("0123456789"),
    "small": ("2", "3", "4", "5", "6", "8", "10", "12", "20"),
    "percent": ("10", "15", "20", "25", "30", "50", "70"),
    "number": ("{digit}{digit}{digit}{digit}", "{small}{digit}{digit}", "{small}{digit}{digit}{digit}{digit}"),
    "code": ("SAVE{digit}{digit}", "WIN{digit}{digit}{digit}", "HELLO{digit}", "SPRING{digit}{digit}", "CODE{number}"),
}

CHINESE = (
    "{day}{hour}在{place}见面，记得带{thing}。",
    "{name}说{day}要去看{show}，你有空吗？",
    "您购买的{thing}已到达{place}，请凭取件码{number}领取。",
    "温馨提示：您预约的{worker}将于{day}{hour}上门维修{thing}。",
    "我在{place}陪{name}，{when}给你回电话。",
    "听说{name}要参加{event}了，我觉得{opinion}。",
    "本店{thing}全场{small}折，{day}截止，退订回复{code}。",
    "路上遇到{delay}，{event}你们先开始吧。",
    "回家的时候顺便买点{food}和{food}。",
    "{name}的{subject}考试通过了，{when}一起吃{food}庆祝。",
    "{subject}课改到{day}{hour}，教室{number}，请互相转告。",
    "我{relative}住院了，{event}麻烦帮我请假。",
    "我的{thing}忘在你的{vehicle}上了，能送到{place}吗？",
    "谢谢你送的{thing}，{relative}非常喜欢。",
    "{event}还缺{small}名志愿者，报名请到{place}找{name}。",
    "您尾号{number}的账户在{place}消费{number}元。",
    "气象台发布预警：{when}{region}有{weather}，请不要去{place}。",
    "{vehicle}在{place}附近抛锚了，{name}在等修理工。",
    "祝{name}生日快乐，天天开心，早日买到{thing}！",
    "昨天的{show}真是{opinion}，你看了没有？",
    "受{weather}影响，开往{region}的{vehicle}停运。",
    "这家店的{food}{opinion}，{day}再去一次吧。",
    "麻烦把{subject}笔记发给我，{name}的弄丢了。",
    "没有{food}怎么做{food}？{relative}{when}要来。",
    "转让{adjective}{thing}一台，用了{small}个月，{number}元。",
    "{region}有没有好的{worker}推荐？家里{thing}坏了。",
    "请为{name}投票，发送{code}到{number}，支持{event}。",
    "恭喜您获得{adjective}{thing}一份，{day}前凭{code}到{place}领奖。",
    "昨晚梦见一只{animal}在{place}吃我的{subject}作业。",
    "寻找走失的{adjective}{animal}，在{place}附近，电话{number}。",
    "别忘了给{name}带{food}，{event}{hour}开始。",
    "{region}的房租从{day}起涨到{number}元。",
    "{name}和{name}{day}在{place}结婚，欢迎参加。",
    "网友热议{name}{event}，{region}{weather}引关注。",
)

CHINESE_SLOTS: Mapping[str, Sequence[str]] = {
    "place": (
        *("火车站", "图书馆", "码头", "体育馆", "面包店", "博物馆", "机场", "药店", "菜市场"),
        *("办公室", "电影院", "健身房", "学校食堂", "邮局", "市政府", "游泳池", "公交站", "停车场"),
        *("书店", "植物园", "牙科诊所", "洗衣店", "灯塔"),
    ),
    "hour": ("中午", "六点半", "七点", "八点整", "九点一刻", "十点", "下午三点", "晚上八点", "早上七点"),
    "day": (
        *("星期一", "周二", "星期三", "周四", "星期五", "周末", "明天", "后天", "元旦"),
        *("五月一日", "下个月三号", "国庆节"),
    ),
    "when": ("今晚", "明天", "等一下", "下班以后", "下周", "一小时后", "月底"),
    "name": (
        *("小王", "小李", "张老师", "陈师傅", "刘阿姨", "老赵", "小周", "吴经理", "阿明", "小红", "林医生", "郑同学"),
        *("高叔叔", "小梅", "阿强", "何主任", "罗教练", "小燕"),
    ),
    "thing": (
        *("雨伞", "护照", "照相机", "充电器", "吉他", "沙发", "洗衣机", "笔记本电脑", "自行车"),
        *("耳机", "帐篷", "微波炉", "打印机", "头盔", "钱包", "热水壶", "台灯", "行李箱"),
        *("小提琴", "计算器", "羽绒服", "地毯", "望远镜", "手表"),
    ),
    "show": ("新电影", "纪录片", "悬疑剧", "音乐剧", "关于{animal}的动画片", "喜剧", "话剧", "{subject}节目"),
    "event": (
        *("会议", "演唱会", "生日聚会", "足球比赛", "婚礼", "排练", "野餐", "马拉松", "选举", "培训班", "义务植树"),
        *("知识竞赛", "读书会", "书画展览", "烧烤", "象棋比赛", "消防演习"),
    ),
    "opinion": ("太棒了", "很无聊", "时间太长", "糟糕透了", "出乎意料地好", "让人难过", "非常好吃", "有点疯狂"),
    "delay": ("堵车", "罢工", "洪水", "大雪", "爆胎", "交通事故", "停电", "封路"),
    "food": (
        *("牛奶", "面包", "大米", "面条", "西红柿", "鲤鱼", "橄榄", "奶酪", "苹果", "生姜", "煎饼", "饺子", "扁豆"),
        *("巧克力", "蘑菇", "辣椒", "柠檬", "鸡蛋", "白菜", "蜂蜜"),
    ),
    "subject": ("化学", "历史", "统计", "法语", "法律", "生物", "音乐", "几何", "经济学"),
    "relative": ("妈妈", "哥哥", "姑姑", "爷爷", "表妹", "女儿", "邻居", "室友", "老板"),
    "vehicle": ("汽车", "公交车", "电车", "出租车", "面包车", "摩托车", "轮船", "卡车", "地铁"),
    "weather": ("暴雨", "大雾", "冰冻", "台风", "冰雹", "高温", "大风", "雷电"),
    "region": ("北部", "山区", "老城区", "东部", "海岛", "开发区", "郊区", "市中心", "南岸"),
    "adjective": ("红色", "灰色", "银色", "木制", "二手", "黑白", "金色", "迷你", "大型", "蓝色"),
    "worker": ("水管工", "电工", "家教", "保姆", "锁匠", "油漆工", "园丁", "维修师傅"),
    "animal": ("猫", "小狗", "鹦鹉", "兔子", "乌龟", "马", "仓鼠", "山羊", "猫头鹰", "海豚"),
    "digit": tuple("0123456789"),
    "small": ("2", "3", "4", "5", "6", "8", "12", "20"),
    "number": ("{digit}{digit}{digit}{digit}", "{small}{digit}{digit}", "{small}{digit}{digit}{digit}{digit}"),
    "code": ("TD", "Y{digit}{digit}", "HD{digit}{digit}{digit}", "QX{digit}"),
}
