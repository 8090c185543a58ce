package dev.concord.persist.bank;

import dev.concord.persist.Persistent;

/** An account, teller or branch of TPC-B: a number, a balance and what fills the row up. */
@Persistent(fa = "non-private")
class Account {
    final int number;
    long balance;
    byte[] filler;

    Account(int number, int bytes) {
        this.number = number;
        this.filler = new byte[bytes];
    }

    int number() {
        return number;
    }

    long balance() {
        return balance;
    }

    void add(long amount) {
        balance += amount;
    }
}
