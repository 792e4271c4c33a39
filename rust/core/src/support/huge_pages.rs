//! Large tables that are read and written at random.
//!
//! With pages of the usual size, finding a page costs as much as reading it. A table is therefore one mapping of the
//! operating system, in huge pages if it is large, which is released when the table is dropped. Memory that is never
//! written costs nothing.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// A type of which every pattern of bytes is a value, all zeros included.
///
/// # Safety
///
/// Every pattern of bytes must be a value of the type, and the type must need no drop.
pub unsafe trait Plain {}

// SAFETY: any bytes are a number.
unsafe impl Plain for u16 {}
// SAFETY: as above.
unsafe impl Plain for AtomicU32 {}
// SAFETY: as above.
unsafe impl Plain for AtomicU64 {}

/// A table, all zero at first.
pub struct Pages<T: Plain> {
    #[cfg(target_os = "linux")]
    start: std::ptr::NonNull<T>,
    #[cfg(target_os = "linux")]
    length: usize,
    #[cfg(not(target_os = "linux"))]
    items: Vec<T>,
}

#[cfg(target_os = "linux")]
mod mapped {
    use std::ptr::{NonNull, null_mut};

    use super::{Deref, DerefMut, Pages, Plain};

    const LARGE_PAGE: usize = 2 << 20;

    // SAFETY: the table owns its content.
    unsafe impl<T: Plain + Send> Send for Pages<T> {}
    // SAFETY: as above; a shared table shares only its content.
    unsafe impl<T: Plain + Sync> Sync for Pages<T> {}

    impl<T: Plain> Pages<T> {
        /// A table of this length, of which about `likely` will be used.
        pub fn zeroed(length: usize, likely: usize) -> Self {
            if length == 0 {
                return Self { start: NonNull::dangling(), length };
            }
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            // SAFETY: a new mapping of its own; nothing else is touched by it.
            let start =
                unsafe { libc::mmap(null_mut(), bytes::<T>(length), libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
            let start: NonNull<T> = checked(start);
            if bytes::<T>(likely) >= 4 * LARGE_PAGE {
                // SAFETY: advice on the mapping that was just made; its content stays as it is.
                unsafe { libc::madvise(start.as_ptr().cast(), bytes::<T>(length), libc::MADV_HUGEPAGE) };
            }
            Self { start, length }
        }

        /// Doubles the length.
        pub fn double(&mut self) {
            let (old, new) = (bytes::<T>(self.length), bytes::<T>(2 * self.length));
            // SAFETY: `zeroed` or this function made the mapping, with this length; it is borrowed mutably.
            let start = unsafe { libc::mremap(self.start.as_ptr().cast(), old, new, libc::MREMAP_MAYMOVE) };
            (self.start, self.length) = (checked(start), 2 * self.length);
        }
    }

    fn bytes<T>(length: usize) -> usize {
        length.checked_mul(size_of::<T>()).expect("a table fits the address space")
    }

    fn checked<T>(start: *mut libc::c_void) -> NonNull<T> {
        match NonNull::new(start.cast()) {
            Some(index) if start != libc::MAP_FAILED => index,
            _ => std::alloc::handle_alloc_error(std::alloc::Layout::new::<T>()),
        }
    }

    impl<T: Plain> Drop for Pages<T> {
        fn drop(&mut self) {
            if self.length > 0 {
                // SAFETY: the mapping has this length, and no reference to it is left.
                unsafe { libc::munmap(self.start.as_ptr().cast(), bytes::<T>(self.length)) };
            }
        }
    }

    impl<T: Plain> Deref for Pages<T> {
        type Target = [T];

        #[inline(always)]
        fn deref(&self) -> &[T] {
            // SAFETY: `length` items from `start` are mapped, aligned to a page, for the life of the table.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
        }
    }

    impl<T: Plain> DerefMut for Pages<T> {
        #[inline(always)]
        fn deref_mut(&mut self) -> &mut [T] {
            // SAFETY: as above, and the table is borrowed mutably.
            unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod allocated {
    use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};

    use super::{Deref, DerefMut, Pages, Plain};

    impl<T: Plain + Default> Pages<T> {
        /// A table of this length, of which about `likely` will be used.
        pub fn zeroed(length: usize, _likely: usize) -> Self {
            let layout = Layout::array::<T>(length).expect("a table fits the address space");
            if layout.size() == 0 {
                return Self { items: Vec::new() };
            }
            // SAFETY: the layout is that of a vector of this length, and zeros are values.
            let items = unsafe {
                let start = alloc_zeroed(layout).cast::<T>();
                if start.is_null() {
                    handle_alloc_error(layout);
                }
                Vec::from_raw_parts(start, length, length)
            };
            Self { items }
        }

        /// Makes room for as much again.
        pub fn double(&mut self) {
            self.items.resize_with(2 * self.items.len(), T::default);
        }
    }

    impl<T: Plain> Deref for Pages<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.items
        }
    }

    impl<T: Plain> DerefMut for Pages<T> {
        fn deref_mut(&mut self) -> &mut [T] {
            &mut self.items
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_start_as_zeros_and_keep_their_values() {
        for length in [1, 4096, (9 << 20) + 3] {
            let mut pages = Pages::<u16>::zeroed(length, length);
            assert!(pages.len() == length && pages.iter().all(|&item| item == 0));
            pages.iter_mut().enumerate().for_each(|(index, item)| *item = index as u16);
            pages.double();
            assert_eq!(pages.len(), 2 * length);
            let whole = |index: usize| if index < length { index as u16 } else { 0 };
            assert!(pages.iter().enumerate().all(|(index, &item)| item == whole(index)));
        }
        assert!(Pages::<u16>::zeroed(0, 0).is_empty());
    }
}
