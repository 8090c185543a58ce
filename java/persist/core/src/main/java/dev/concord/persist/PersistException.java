package dev.concord.persist;

/**
 * Root of every failure this library reports. Each subclass names one cause, so that a caller can tell a damaged file
 * from a full one and both from a programming error.
 */
public class PersistException extends RuntimeException {
    public PersistException(String message) {
        super(message);
    }

    public PersistException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The file does not hold what its own checksums and tables promise; names file and offset. */
    public static final class Corrupt extends PersistException {
        private final long offset;

        public Corrupt(String file, long offset, String what) {
            super(file + " at offset " + offset + ": " + what);
            this.offset = offset;
        }

        public long offset() {
            return offset;
        }
    }

    /** The file's tables contradict each other in a way that has no single place. */
    public static final class Damaged extends PersistException {
        public Damaged(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The file was written by a format or a class layout this build cannot read. */
    public static final class Incompatible extends PersistException {
        public Incompatible(String message) {
            super(message);
        }
    }

    /** The durability that was demanded is not what this medium gives. */
    public static final class DurabilityUnavailable extends PersistException {
        public DurabilityUnavailable(String message) {
            super(message);
        }
    }

    /** Another open heap, here or in another process, holds the file. */
    public static final class Locked extends PersistException {
        public Locked(String message) {
            super(message);
        }
    }

    /** A write or a sync failed: what reached the medium is unknown, so nothing more is accepted until a reopen. */
    public static final class Poisoned extends PersistException {
        public Poisoned(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** No room for an allocation, a log record or a new segment. */
    public static final class Full extends PersistException {
        public Full(String message) {
            super(message);
        }

        public Full(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** A reference or a proxy leads to an object that was freed. */
    public static final class Dangling extends PersistException {
        public Dangling(String message) {
            super(message);
        }
    }

    /** A failure-atomic block could not commit; everything it did was rolled back. */
    public static final class Aborted extends PersistException {
        public Aborted(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The API was used against its rules: closed heap, wrong heap, wrong thread, type that cannot persist. */
    public static final class Misuse extends PersistException {
        public Misuse(String message) {
            super(message);
        }
    }
}
