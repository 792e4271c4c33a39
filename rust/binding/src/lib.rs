//! `neardup._core`: the engine of `neardup-core` for Python, over batches of documents.
//!
//! This crate only translates between Python and Rust. It has one file or folder for each folder of the core. A class
//! is where its Rust type belongs, with all its methods.

mod candidates;
mod cluster;
mod explain;
mod index;
mod letters;
mod passages;
mod represent;
mod support;
mod text;

use pyo3::prelude::*;

// The stages allocate and free arrays of many sizes: this allocator keeps pages instead of returning them each time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// Commit pages only as they are needed: committing whole regions costs time to clear memory that is never used. Return
// free pages soon: later stages need other sizes.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static TAKE_PAGES_AS_NEEDED: extern "C" fn() = {
    extern "C" fn set() {
        const ARENA_EAGER_COMMIT: libmimalloc_sys::mi_option_t = 4;
        const PURGE_DELAY_MILLISECONDS: libmimalloc_sys::mi_option_t = 15;
        // SAFETY: options may be set at any time; before the first allocation they apply to all of them.
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
    module.add("TERM_CLASSES", neardup_core::text::words::word_class::CLASSES.to_vec())?;
    add_text(module)?;
    add_represent(module)?;
    add_candidates(module)?;
    add_cluster(module)?;
    module.add_class::<letters::LetterRules>()?;
    module.add_function(wrap_pyfunction!(explain::lattice, module)?)?;
    module.add_function(wrap_pyfunction!(passages::find_passages, module)?)?;
    add_index(module)
}

fn add_text(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<text::Texts>()?;
    module.add_function(wrap_pyfunction!(text::is_column, module)?)?;
    module.add_function(wrap_pyfunction!(text::are_strings, module)?)?;
    module.add_function(wrap_pyfunction!(text::find_bodies, module)?)
}

fn add_represent(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<represent::first_pass::FirstPass>()?;
    module.add_class::<represent::first_pass::Survey>()?;
    module.add_class::<represent::sets::Sets>()?;
    module.add_class::<represent::weighted::TermTable>()?;
    module.add_class::<represent::weighted::WeightedSets>()?;
    module.add_class::<represent::signatures::RankTable>()?;
    module.add_class::<represent::signatures::Signatures>()?;
    module.add_function(wrap_pyfunction!(represent::weighted::classify_terms, module)?)?;
    module.add_function(wrap_pyfunction!(represent::images::images, module)?)?;
    module.add_function(wrap_pyfunction!(represent::images::images_of_words, module)?)
}

fn add_candidates(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<candidates::Context>()?;
    module.add_class::<candidates::Overlaps>()?;
    module.add_function(wrap_pyfunction!(candidates::candidates, module)?)?;
    module.add_function(wrap_pyfunction!(candidates::banded_candidates, module)?)?;
    module.add_function(wrap_pyfunction!(candidates::agreeing, module)?)?;
    module.add_function(wrap_pyfunction!(candidates::block_keys, module)?)?;
    module.add_function(wrap_pyfunction!(candidates::edit_pairs, module)?)
}

fn add_cluster(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<cluster::Background>()?;
    module.add_function(wrap_pyfunction!(cluster::components, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::stars, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::bisect, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::group_by_passages, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::assemble_consensus, module)?)
}

fn add_index(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<index::KeyProbes>()?;
    module.add_function(wrap_pyfunction!(index::pack_keys, module)?)?;
    module.add_function(wrap_pyfunction!(index::merge_keys, module)?)?;
    module.add_function(wrap_pyfunction!(index::unpack_keys, module)?)?;
    module.add_function(wrap_pyfunction!(index::remove_keys, module)?)?;
    module.add_function(wrap_pyfunction!(index::tally_meetings, module)?)
}
