package dev.concord.persist.bank;

import dev.concord.persist.PHeap;
import dev.concord.persist.collections.PArrayList;
import dev.concord.persist.collections.PLongArray;
import java.util.NoSuchElementException;

/**
 * The bank of TPC-B: a transaction changes one account, one teller and one branch by the same amount and notes it; a
 * transfer moves an amount between two accounts. Owns isolation: the accounts of a transaction are locked in the order of
 * their kind and number until it is visible, not until it is durable.
 */
final class Bank {
    static final int TELLERS = 10;
    private static final int ROW = 100;
    private static final int BATCH = 1000;
    private final PHeap heap;
    private final PArrayList<Account> accounts;
    private final PArrayList<Account> tellers;
    private final PArrayList<Account> branches;
    /** The last transactions, three numbers each, going round. */
    private final PLongArray history;
    private final int rows;

    @SuppressWarnings("unchecked")
    Bank(PHeap heap, int count) {
        this.heap = heap;
        accounts = heap.root("accounts", PArrayList.class, PArrayList::new);
        tellers = heap.root("tellers", PArrayList.class, PArrayList::new);
        branches = heap.root("branches", PArrayList.class, PArrayList::new);
        fill(branches, Math.max(1, count / 100_000));
        fill(tellers, TELLERS * branches.size());
        fill(accounts, count);
        history = heap.root("history", PLongArray.class, () -> new PLongArray(3 * 1024));
        rows = 1024;
    }

    private void fill(PArrayList<Account> list, int count) {
        while (list.size() < count) {
            heap.atomic(() -> {
                for (int i = 0; i < BATCH && list.size() < count; i++) {
                    list.add(new Account(list.size(), ROW));
                }
            });
        }
    }

    private static Account of(PArrayList<Account> list, int i) {
        if (i < 0 || i >= list.size()) {
            throw new NoSuchElementException("there is no number " + i);
        }
        return list.get(i);
    }

    long balance(int account) {
        return of(accounts, account).balance();
    }

    int size() {
        return accounts.size();
    }

    /** Returns when the transfer is durable. */
    void transfer(int from, int to, long amount) {
        if (from == to) {
            throw new IllegalArgumentException("from and to are the same account");
        }
        Account a = of(accounts, from);
        Account b = of(accounts, to);
        long lsn;
        synchronized (from < to ? a : b) {
            synchronized (from < to ? b : a) {
                lsn = heap.core().atomicVisible(() -> {
                    a.add(-amount);
                    b.add(amount);
                    return null;
                }, null);
            }
        }
        heap.core().await(lsn);
    }

    /** The transaction of TPC-B; returns the account's new balance, when it is durable. */
    long transaction(int account, int teller, long delta) {
        Account a = of(accounts, account);
        Account t = of(tellers, teller);
        Account b = branches.get(teller / TELLERS);
        long lsn;
        long[] result = new long[1];
        synchronized (a) {
            synchronized (t) {
                synchronized (b) {
                    lsn = heap.core().atomicVisible(() -> {
                        a.add(delta);
                        t.add(delta);
                        b.add(delta);
                        int row = 3 * (int) Math.floorMod(a.balance() * 31 + account, rows);
                        history.set(row, account);
                        history.set(row + 1, teller);
                        history.set(row + 2, delta);
                        result[0] = a.balance();
                        return null;
                    }, null);
                }
            }
        }
        heap.core().await(lsn);
        return result[0];
    }

    private static long sum(PArrayList<Account> list) {
        long s = 0;
        for (int i = 0; i < list.size(); i++) {
            s += list.get(i).balance();
        }
        return s;
    }

    /** Sums of all balances of accounts, tellers and branches: equal, when nothing runs, if only transactions ran. */
    long[] sums() {
        return new long[] {sum(accounts), sum(tellers), sum(branches)};
    }
}
