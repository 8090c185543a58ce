package dev.concord.persist.bench;

/** A store of records of 1000 bytes under integer keys, as every contender offers it. */
interface Store extends AutoCloseable {
    int RECORD = 1000;
    int FIELD = 100;

    void insert(int key, byte[] record);

    /** Fills the record; false if there is none. */
    boolean read(int key, byte[] record);

    /** Replaces one of the ten fields; durable on return as the store's class says. */
    void update(int key, int field, byte[] content);

    /** Reads up to {@code n} records in key order where the store has one, else the next {@code n} keys by point reads. */
    default int scan(int key, int n, byte[] record) {
        int found = 0;
        for (int i = 0; i < n; i++) {
            found += read(key + i, record) ? 1 : 0;
        }
        return found;
    }

    /** Ends the loading phase; what was loaded is as durable as the store makes it. */
    default void loaded() {
    }

    /** How often the store has synced its log so far, or NaN if it cannot tell. */
    default double syncs() {
        return Double.NaN;
    }

    @Override
    void close();
}
