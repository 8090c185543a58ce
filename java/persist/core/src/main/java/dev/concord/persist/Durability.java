package dev.concord.persist;

/** What a committed change survives. Ordered: a later constant survives all that an earlier one does. */
public enum Durability {
    /** Nothing beyond this process. */
    NONE,
    /** The death of this process, for instance by {@code kill -9}, but neither an operating system crash nor power loss. */
    PROCESS,
    /** Power loss, provided that the device honours its flush commands. */
    POWER
}
