//! Thread pools, one for each size and process: a forked child gets its own instead of waiting for its parent's
//! threads.
//!
//! Signals of Python arrive on its main thread only. While the main thread waits for native work, it checks for them.
//! If a handler raises, as for Ctrl-C, the loops stop at their next checkpoint, and the main thread waits for that, so
//! that no work outlives the data it borrows. The main thread has pools of its own, so that work of other threads is
//! not stopped.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use neardup_core::support::interrupt::{self, Interrupted};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

type Pools = Mutex<HashMap<(u32, usize, bool), Arc<ThreadPool>>>;

/// The interval at which signals are checked.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Whether the work of the main thread's pools should stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Runs `work` without the interpreter's lock on `threads` threads; 0 means all processors.
pub fn run<T: Send>(py: Python<'_>, threads: usize, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let main = is_main_thread(py)?;
    if threads == 1
        && let Some(pool) = own_pool()
    {
        return if main {
            py.detach(|| watch_signals(|| pool.install(work)))
        } else {
            Ok(py.detach(|| pool.install(work)))
        };
    }
    let pool = pool(threads, main)?;
    if main { py.detach(|| wait(&pool, work)) } else { Ok(py.detach(|| pool.install(work))) }
}

/// Runs `work` on the pool and checks for signals meanwhile.
fn wait<T: Send>(pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let mut raised = None;
    let (sender, receiver) = sync_channel(1);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| drop(sender.send(work())));
            loop {
                match receiver.recv_timeout(SIGNAL_INTERVAL) {
                    Ok(made) => return Some(made),
                    // The work panicked, which the scope passes on.
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                        raised = Python::attach(|py| py.check_signals()).err();
                        STOP.store(raised.is_some(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    }));
    STOP.store(false, Ordering::Relaxed);
    settle(outcome, raised)?.ok_or_else(|| PyRuntimeError::new_err("the work ended without a result"))
}

/// Runs `work` on this thread, which checks for signals at its checkpoints.
fn watch_signals<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    CHECKED.set(Some(Instant::now()));
    let before = interrupt::watch(Some(check_signals));
    let outcome = catch_unwind(AssertUnwindSafe(work));
    interrupt::watch(before);
    settle(outcome, RAISED.take())
}

thread_local! {
    static CHECKED: Cell<Option<Instant>> = const { Cell::new(None) };
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Checks for signals, unless that was done recently, and returns whether a handler raised: from then on all work
/// stops.
fn check_signals() -> bool {
    if RAISED.with_borrow(Option::is_some) {
        return true;
    }
    if CHECKED.get().is_some_and(|last| last.elapsed() < SIGNAL_INTERVAL) {
        return false;
    }
    CHECKED.set(Some(Instant::now()));
    let raised = Python::attach(|py| py.check_signals()).err();
    let any = raised.is_some();
    if any {
        RAISED.replace(raised);
    }
    any
}

/// The result, or the exception of a signal handler; a panic continues.
fn settle<T>(outcome: Result<T, Box<dyn Any + Send>>, raised: Option<PyErr>) -> PyResult<T> {
    match (outcome, raised) {
        (Err(panic), _) if !panic.is::<Interrupted>() => resume_unwind(panic),
        (_, Some(raised)) => Err(raised),
        (Ok(made), None) => Ok(made),
        (Err(panic), None) => resume_unwind(panic),
    }
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    thread_local! {
        static KNOWN: Cell<Option<bool>> = const { Cell::new(None) };
    }
    if let Some(known) = KNOWN.get() {
        return Ok(known);
    }
    let threading = py.import("threading")?;
    let main = threading.call_method0("current_thread")?.is(threading.call_method0("main_thread")?);
    KNOWN.set(Some(main));
    Ok(main)
}

/// A pool of the calling thread only, which does small work sooner than another thread that has to wake up first.
fn own_pool() -> Option<Arc<ThreadPool>> {
    thread_local! {
        static POOL: Option<Arc<ThreadPool>> =
            ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok().map(Arc::new);
    }
    POOL.with(Clone::clone)
}

fn pool(threads: usize, main: bool) -> PyResult<Arc<ThreadPool>> {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, Into::into),
        asked => asked.min(1024),
    };
    let mut pools = match POOLS.get_or_init(Default::default).lock() {
        Ok(pools) => pools,
        Err(poisoned) => poisoned.into_inner(),
    };
    let key = (std::process::id(), threads, main);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let watch = move |_| {
        if main {
            interrupt::watch(Some(|| STOP.load(Ordering::Relaxed)));
        }
    };
    let built = ThreadPoolBuilder::new().num_threads(threads).start_handler(watch).build();
    let pool = Arc::new(built.map_err(|problem| PyRuntimeError::new_err(problem.to_string()))?);
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}
