//! The functions of the C library's `libm.so` that tulk and its dependencies call, inside the program.
//!
//! The linker finds these first and leaves out a library that nothing needs: `libm.so` takes 0.07 ms of each start. They are those of
//! the `libm` crate. On other systems than Linux with glibc this crate is empty. It is a crate of its own because exporting a C
//! function counts as unsafe code, which tulk forbids itself.

#![no_std]

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod exported {
    macro_rules! export {
        ($($name:ident ($($argument:ident),+);)+) => {
            $(
                // SAFETY: name, arguments and result are those of the C function.
                #[unsafe(no_mangle)]
                extern "C" fn $name($($argument: f64),+) -> f64 {
                    libm::$name($($argument),+)
                }
            )+
        };
    }

    export! {
        exp(x);
        exp2(x);
        log(x);
        log2(x);
        log10(x);
        pow(x, y);
        sin(x);
    }

    #[cfg(test)]
    mod tests {
        /// Fails if a function is exported under the name of another one.
        #[test]
        fn each_name_is_its_function() {
            use core::f64::consts::{E, LN_2};
            let (exp, exp2, log, log2) = (super::exp(1.0), super::exp2(10.0), super::log(2.0), super::log2(8.0));
            let (log10, pow, sin) = (super::log10(1000.0), super::pow(3.0, 4.0), super::sin(1.0));
            let results = [exp, exp2, log, log2, log10, pow, sin];
            let expected = [E, 1024.0, LN_2, 3.0, 3.0, 81.0, 0.841_470_984_807_896_5];
            for (result, expected) in results.into_iter().zip(expected) {
                assert!((result - expected).abs() < 1e-15, "{result} is not {expected}");
            }
        }
    }
}
