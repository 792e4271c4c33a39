//! Thread pools, one per size and process: a forked child gets its own instead of waiting for its parent's threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

type Pools = Mutex<HashMap<(u32, usize), Arc<ThreadPool>>>;

/// Runs `work` without the interpreter's lock on `threads` threads; 0 means all processors.
pub fn run<T: Send>(py: Python<'_>, threads: usize, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    if threads == 1
        && let Some(pool) = own_pool()
    {
        return Ok(py.detach(|| pool.install(work)));
    }
    let pool = pool(threads)?;
    Ok(py.detach(|| pool.install(work)))
}

/// A pool of nothing but the calling thread, which does small work sooner than another that has to wake up first.
fn own_pool() -> Option<Arc<ThreadPool>> {
    thread_local! {
        static POOL: Option<Arc<ThreadPool>> =
            ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok().map(Arc::new);
    }
    POOL.with(Clone::clone)
}

fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, Into::into),
        asked => asked.min(1024),
    };
    let mut pools = match POOLS.get_or_init(Default::default).lock() {
        Ok(pools) => pools,
        Err(poisoned) => poisoned.into_inner(),
    };
    let key = (std::process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let built = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(built.map_err(|problem| PyRuntimeError::new_err(problem.to_string()))?);
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}
