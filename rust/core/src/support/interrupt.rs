//! Lets a caller stop a long loop: the loops pass a checkpoint once for each chunk of work.
//!
//! [`watch`] gives a thread a function that reports whether it should stop. From then on [`checkpoint`] unwinds with
//! [`Interrupted`] when it should. The results so far are dropped on the way, and rayon carries the payload to the
//! thread that waits for the result. On a thread that watches nothing, a checkpoint does nothing.

use std::cell::Cell;
use std::panic::resume_unwind;

/// The payload with which a stopped loop unwinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

thread_local! {
    static ASKED: Cell<Option<fn() -> bool>> = const { Cell::new(None) };
}

/// Sets the function that reports whether this thread should stop, or removes it with `None`. Returns the previous one.
pub fn watch(asked: Option<fn() -> bool>) -> Option<fn() -> bool> {
    ASKED.replace(asked)
}

/// Unwinds if this thread should stop.
pub fn checkpoint() {
    if ASKED.get().is_some_and(|asked| asked()) {
        resume_unwind(Box::new(Interrupted));
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rayon::prelude::*;

    use super::*;
    use crate::text::collection::{Collection, Unit};
    use crate::text::normaliser::{Boilerplate, Form, Markup, Normaliser};

    #[test]
    fn a_checkpoint_does_nothing_unless_a_stop_is_requested() {
        checkpoint();
        watch(Some(|| false));
        checkpoint();
        watch(Some(|| true));
        let stopped = catch_unwind(checkpoint);
        assert!(stopped.is_err_and(|payload| payload.is::<Interrupted>()));
        watch(None);
        checkpoint();
    }

    #[test]
    fn the_loops_of_a_pool_stop_and_the_pool_stays_usable() {
        static STOP: AtomicBool = AtomicBool::new(true);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(2)
            .start_handler(|_| {
                watch(Some(|| STOP.load(Ordering::Relaxed)));
            })
            .build()
            .expect("two threads can be had");
        let texts = vec!["some words to read"; 1000];
        let normaliser = Normaliser { form: Form::Nfc, markup: Markup::Plain, boilerplate: Boilerplate::Keep };
        let collection = Collection::new(&texts, &[], normaliser);
        let documents: Vec<u32> = (0..1000).collect();
        let work = || collection.map(&documents, Unit::Word, <[u64]>::len);
        let stopped = catch_unwind(std::panic::AssertUnwindSafe(|| pool.install(work)));
        assert!(stopped.is_err_and(|payload| payload.is::<Interrupted>()));
        STOP.store(false, Ordering::Relaxed);
        assert_eq!(pool.install(work), vec![4; 1000]);
        assert_eq!(pool.install(|| documents.par_iter().count()), 1000);
    }
}
