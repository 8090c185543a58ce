import java.sql.*;

/** `H2Load THREADS TRANSACTIONS`: money moves between accounts of an in-memory database; prints what must be left. */
public class H2Load {
    static final String URL = "jdbc:h2:mem:load;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";

    static void work(int seed, int transactions) throws SQLException {
        try (Connection c = DriverManager.getConnection(URL, "sa", "");
                PreparedStatement move = c.prepareStatement("update account set balance = balance + ? where id = ?");
                PreparedStatement look = c.prepareStatement("select sum(balance), count(*) from account where id between ? and ?");
                PreparedStatement log = c.prepareStatement("insert into log values(?, ?, ?, ?)")) {
            c.setAutoCommit(false);
            for (int i = 0; i < transactions; i++) {
                int a = (seed * 7 + i * 3) % 200, b = (a + 1 + i % 50) % 200, amount = i % 17;
                for (int id : new int[] {Math.min(a, b), Math.max(a, b)}) {
                    move.setInt(1, id == a ? -amount : amount);
                    move.setInt(2, id);
                    move.executeUpdate();
                }
                log.setInt(1, seed * 1_000_000 + i);
                log.setInt(2, a);
                log.setInt(3, b);
                log.setInt(4, amount);
                log.executeUpdate();
                if (i % 4 == 0) {
                    look.setInt(1, a % 100);
                    look.setInt(2, a % 100 + 100);
                    try (ResultSet r = look.executeQuery()) {
                        r.next();
                        r.getInt(1);
                    }
                }
                c.commit();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), transactions = Integer.parseInt(args[1]);
        try (Connection c = DriverManager.getConnection(URL, "sa", "");
                Statement s = c.createStatement()) {
            s.execute("create table account(id int primary key, balance int not null)");
            s.execute("create table log(id int primary key, source int, target int, amount int)");
            for (int i = 0; i < 200; i++) s.execute("insert into account values(" + i + ", 1000)");
            Thread[] ts = new Thread[threads];
            Throwable[] failed = new Throwable[1];
            for (int t = 0; t < threads; t++) {
                int seed = t;
                ts[t] = new Thread(() -> {
                    try {
                        work(seed, transactions);
                    } catch (Throwable e) {
                        failed[0] = e;
                    }
                });
                ts[t].start();
            }
            for (Thread t : ts) t.join();
            if (failed[0] != null) throw new Error(failed[0]);
            try (ResultSet r = s.executeQuery("select sum(balance), (select count(*) from log) from account")) {
                r.next();
                System.out.println("left " + r.getInt(1) + " " + r.getInt(2));
            }
        }
    }
}
