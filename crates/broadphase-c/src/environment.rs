//! The floating-point environment of a call.
//!
//! Rust code assumes the default one, and so do the searches: numbers are rounded to nearest, denormal ones are kept, and
//! no operation traps. A C program may have set another: by `fesetround`, by `-ffast-math`, or for audio. Threads of the
//! pool inherit the environment of the call that starts them.

/// The environment of the caller, which is set again at the end of a call.
#[derive(Debug)]
pub(crate) struct OfCaller(control::Register);

impl OfCaller {
    /// Sets the default environment in its place.
    pub(crate) fn replace() -> Self {
        let caller = Self(control::read());
        control::write(control::DEFAULT);
        caller
    }
}

impl Drop for OfCaller {
    fn drop(&mut self) {
        control::write(self.0);
    }
}

/// The register MXCSR. It also has the flags of past exceptions.
#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    pub(super) type Register = u32;

    /// All exceptions are masked.
    pub(super) const DEFAULT: Register = 0x1f80;

    pub(super) fn read() -> Register {
        let mut value = 0;
        // SAFETY: it writes the register to the variable.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack)) };
        value
    }

    pub(super) fn write(value: Register) {
        // SAFETY: the value is valid: the default, or read before. Rust code runs in the default environment only:
        // the caller's is set again last.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, readonly)) };
    }
}

/// The register FPCR.
#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    pub(super) type Register = u64;

    pub(super) const DEFAULT: Register = 0;

    pub(super) fn read() -> Register {
        let value;
        // SAFETY: it only reads the register.
        unsafe { asm!("mrs {}, fpcr", out(reg) value, options(nostack)) };
        value
    }

    pub(super) fn write(value: Register) {
        // SAFETY: as on x86-64.
        unsafe { asm!("msr fpcr, {}", in(reg) value, options(nostack)) };
    }
}

/// Other processors: nothing is changed.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub(super) type Register = ();

    pub(super) const DEFAULT: Register = ();

    pub(super) fn read() -> Register {}

    pub(super) fn write((): Register) {}
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use crate::BpStatus;
    use crate::failure::status_of;

    /// Numbers that become denormal are replaced by 0. Nothing here computes any.
    const FLUSH_TO_ZERO: control::Register =
        control::DEFAULT | if cfg!(target_arch = "x86_64") { 1 << 15 } else { 1 << 24 };

    #[test]
    fn callers_environment_returns_after_a_panic() {
        control::write(FLUSH_TO_ZERO);
        let mut during = FLUSH_TO_ZERO;
        let status = status_of(|| {
            during = control::read();
            panic!("planted")
        });
        let after = control::read();
        control::write(control::DEFAULT);
        assert_eq!(status, BpStatus::Panicked);
        assert_eq!((during, after), (control::DEFAULT, FLUSH_TO_ZERO));
    }
}
