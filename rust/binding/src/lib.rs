//! `neardup._core`: the loops of `neardup-core` for Python, over batches. Nothing here decides anything.

mod arrays;
mod blocks;
mod campaigns;
mod concepts;
mod kernels;
mod mailroom;
mod parsing;
mod pools;
mod sets;
mod signatures;
mod studies;
mod survey;
mod texts;
mod weighted;

use pyo3::prelude::*;

// Arrays of many sizes come and go between the stages: this keeps their pages instead of giving them back each time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// Pages are taken from the system as they are needed: whole regions at once cost time to clear and are never used up.
// What is free goes back soon: the stages after this one want other sizes.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static TAKE_PAGES_AS_NEEDED: extern "C" fn() = {
    extern "C" fn set() {
        const ARENA_EAGER_COMMIT: libmimalloc_sys::mi_option_t = 4;
        const PURGE_DELAY_MILLISECONDS: libmimalloc_sys::mi_option_t = 15;
        // SAFETY: options may be set at any time; before the first allocation they hold for all of them.
        unsafe {
            libmimalloc_sys::mi_option_set_default(ARENA_EAGER_COMMIT, 0);
            libmimalloc_sys::mi_option_set_default(PURGE_DELAY_MILLISECONDS, 300);
        }
    }
    set
};

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("TOKENISER_VERSION", neardup_core::TOKENISER_VERSION)?;
    module.add_class::<texts::Texts>()?;
    module.add_class::<sets::Sets>()?;
    module.add_class::<survey::FirstPass>()?;
    module.add_class::<survey::Survey>()?;
    module.add_class::<weighted::TermTable>()?;
    module.add_class::<weighted::WeightedSets>()?;
    module.add("TERM_CLASSES", neardup_core::wordclass::CLASSES.to_vec())?;
    module.add_function(wrap_pyfunction!(weighted::classify_terms, module)?)?;
    module.add_class::<campaigns::Background>()?;
    module.add_class::<mailroom::LetterRules>()?;
    module.add_class::<concepts::Context>()?;
    module.add_class::<concepts::Overlaps>()?;
    module.add_function(wrap_pyfunction!(concepts::images, module)?)?;
    module.add_function(wrap_pyfunction!(concepts::images_of_words, module)?)?;
    module.add_class::<blocks::KeyProbes>()?;
    module.add_function(wrap_pyfunction!(blocks::pack_keys, module)?)?;
    module.add_function(wrap_pyfunction!(blocks::merge_keys, module)?)?;
    module.add_function(wrap_pyfunction!(blocks::unpack_keys, module)?)?;
    module.add_function(wrap_pyfunction!(blocks::tally_meetings, module)?)?;
    module.add_function(wrap_pyfunction!(blocks::remove_keys, module)?)?;
    module.add_class::<signatures::RankTable>()?;
    module.add_class::<signatures::Signatures>()?;
    module.add_function(wrap_pyfunction!(signatures::find_bodies, module)?)?;
    module.add_function(wrap_pyfunction!(texts::is_column, module)?)?;
    module.add_function(wrap_pyfunction!(texts::are_strings, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::banded_candidates, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::agreeing, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::candidates, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::block_keys, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::components, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::stars, module)?)?;
    module.add_function(wrap_pyfunction!(studies::bisect, module)?)?;
    module.add_function(wrap_pyfunction!(studies::edit_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(studies::lattice, module)?)?;
    Ok(())
}
