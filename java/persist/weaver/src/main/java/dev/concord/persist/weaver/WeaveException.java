package dev.concord.persist.weaver;

/** A class that is to persist cannot; the message says which member and why. */
public final class WeaveException extends RuntimeException {
    public WeaveException(String message) {
        super(message);
    }
}
