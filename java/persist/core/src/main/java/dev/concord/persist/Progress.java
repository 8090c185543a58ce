package dev.concord.persist;

/** Is told how far long work has come; called from the working thread, a few times a second at most. */
@FunctionalInterface
public interface Progress {
    /** Nobody wants to know. */
    Progress NONE = new Progress() { // no lambda: the first of a process takes longer than to open a heap
        @Override
        public void at(String what, long done, long total) {
        }
    };

    /**
     * @param what the phase, such as "mark" or "copy"
     * @param total what {@code done} will be at the end of the phase, or -1 if that is not known
     */
    void at(String what, long done, long total);
}
