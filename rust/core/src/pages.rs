//! Large tables of bytes that are read and written at random.
//!
//! With pages of the usual size such a table costs as much for finding its pages as for reading them. So it is taken
//! from the system as a whole, in large pages where there are any, and given back when it is no longer needed.

use std::ops::{Deref, DerefMut};

#[cfg(target_os = "linux")]
const LARGE_PAGE: usize = 2 << 20;

/// A table of bytes, all zero at first.
pub struct Pages {
    #[cfg(target_os = "linux")]
    start: std::ptr::NonNull<u8>,
    #[cfg(target_os = "linux")]
    length: usize,
    #[cfg(not(target_os = "linux"))]
    bytes: Vec<u8>,
}

// SAFETY: the bytes belong to this table alone.
#[cfg(target_os = "linux")]
unsafe impl Send for Pages {}
// SAFETY: as above; whoever shares the table can only read it.
#[cfg(target_os = "linux")]
unsafe impl Sync for Pages {}

#[cfg(target_os = "linux")]
impl Pages {
    /// A table of this many bytes.
    pub fn zeroed(length: usize) -> Self {
        if length == 0 {
            return Self { start: std::ptr::NonNull::dangling(), length };
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping of its own; nothing else is touched by it.
        let start = unsafe {
            libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0).cast::<u8>()
        };
        let start = match std::ptr::NonNull::new(start) {
            Some(start) if start.as_ptr().cast() != libc::MAP_FAILED => start,
            _ => std::alloc::handle_alloc_error(std::alloc::Layout::new::<Self>()),
        };
        if length >= LARGE_PAGE {
            // SAFETY: advice on the mapping that was just made; its content stays as it is.
            unsafe { libc::madvise(start.as_ptr().cast(), length, libc::MADV_HUGEPAGE) };
        }
        Self { start, length }
    }
}

#[cfg(target_os = "linux")]
impl Drop for Pages {
    fn drop(&mut self) {
        if self.length > 0 {
            // SAFETY: the mapping was made by `zeroed` with this length, and nobody has a reference to it any more.
            unsafe { libc::munmap(self.start.as_ptr().cast(), self.length) };
        }
    }
}

#[cfg(target_os = "linux")]
impl Deref for Pages {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: `length` bytes from `start` are mapped as long as the table is there.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

#[cfg(target_os = "linux")]
impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and the table is borrowed for this alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

#[cfg(not(target_os = "linux"))]
impl Pages {
    /// A table of this many bytes.
    pub fn zeroed(length: usize) -> Self {
        Self { bytes: vec![0; length] }
    }
}

#[cfg(not(target_os = "linux"))]
impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(not(target_os = "linux"))]
impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_zero_at_first_and_keep_what_is_written() {
        for length in [0, 1, 4096, (2 << 20) + 3] {
            let mut pages = Pages::zeroed(length);
            assert!(pages.len() == length && pages.iter().all(|&byte| byte == 0));
            pages.iter_mut().enumerate().for_each(|(place, byte)| *byte = place as u8);
            assert!(pages.iter().enumerate().all(|(place, &byte)| byte == place as u8));
        }
    }
}
