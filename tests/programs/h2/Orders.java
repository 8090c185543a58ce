import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;

/**
 * A script over a database on disk: bulk load, joins, groups, correlated queries, views, recursion, a Java function,
 * constraints, savepoints, batches, BLOBs; closed, opened again and asked once more. Arguments: URL, orders.
 */
public class Orders {
    private static final String[] CITIES = {"Oslo", "Lima", "Quito", "Riga", "Bern"};

    /** Called from SQL. */
    public static int digits(int n) {
        int sum = 0;
        for (int k = n; k > 0; k /= 10) sum += k % 10;
        return sum;
    }

    public static void main(String[] args) throws Exception {
        boolean h2 = args[0].startsWith("jdbc:h2");
        int orders = Integer.parseInt(args[1]);
        try (Connection c = DriverManager.getConnection(args[0], "sa", ""); Statement s = c.createStatement()) {
            define(s, h2);
            load(c, orders);
            ask(s);
            change(c, s);
            largeObjects(c);
            if (h2) windows(s);
            s.execute(h2 ? "checkpoint sync" : "checkpoint");
        }
        try (Connection c = DriverManager.getConnection(args[0], "sa", ""); Statement s = c.createStatement()) {
            System.out.println("again");
            ask(s);
            show(s, "select count(*), sum(octet_length(data)) from picture");
            s.execute("shutdown");
        }
    }

    static void define(Statement s, boolean h2) throws SQLException {
        s.execute("create table customer(id int primary key, name varchar(40) not null unique, city varchar(20), boss int references customer(id))");
        s.execute("create table orders(id int primary key, customer int not null references customer(id), total decimal(12, 2) check (total >= 0), placed date)");
        s.execute("create table line(orders int, no int, item varchar(20), amount int, primary key(orders, no), foreign key(orders) references orders(id) on delete cascade)");
        s.execute("create table picture(id int primary key, data blob, caption clob)");
        s.execute("create index line_item on line(item)");
        s.execute("create view big as select c.name, o.id, o.total from customer c join orders o on o.customer = c.id where o.total > 500");
        s.execute(h2 ? "create alias digits for \"Orders.digits\""
                : "create function digits(n int) returns int no sql language java parameter style java external name 'CLASSPATH:Orders.digits'");
    }

    static void load(Connection c, int orders) throws SQLException {
        c.setAutoCommit(false);
        try (PreparedStatement customer = c.prepareStatement("insert into customer values(?, ?, ?, ?)");
             PreparedStatement order = c.prepareStatement("insert into orders values(?, ?, ?, ?)");
             PreparedStatement line = c.prepareStatement("insert into line values(?, ?, ?, ?)")) {
            for (int i = 1; i <= 50; i++) {
                customer.setInt(1, i);
                customer.setString(2, "customer " + i);
                customer.setString(3, CITIES[i % CITIES.length]);
                if (i == 1) customer.setNull(4, Types.INTEGER); else customer.setInt(4, i / 2);
                customer.addBatch();
            }
            customer.executeBatch();
            for (int i = 0; i < orders; i++) {
                order.setInt(1, i);
                order.setInt(2, 1 + i * 17 % 50);
                order.setBigDecimal(3, new java.math.BigDecimal(i * 7919 % 100_000).movePointLeft(2));
                order.setDate(4, java.sql.Date.valueOf(java.time.LocalDate.of(2020, 1, 1).plusDays(i % 700)));
                order.addBatch();
                for (int n = 0; n < 1 + i % 4; n++) {
                    line.setInt(1, i);
                    line.setInt(2, n);
                    line.setString(3, "item " + (i * 31 + n * 7) % 40);
                    line.setInt(4, 1 + (i + n) % 9);
                    line.addBatch();
                }
                if (i % 100 == 99 || i == orders - 1) {
                    order.executeBatch();
                    line.executeBatch();
                    c.commit();
                }
            }
        }
        c.setAutoCommit(true);
    }

    static void ask(Statement s) throws SQLException {
        show(s, "select count(*), sum(total), min(placed), max(placed) from orders");
        show(s, "select c.city, count(*) n, sum(l.amount) from customer c join orders o on o.customer = c.id join line l on l.orders = o.id group by c.city having count(*) > 3 order by 2 desc, c.city");
        show(s, "select name, total from big order by total desc, name fetch first 3 rows only");
        show(s, "select c.name, (select max(o.total) from orders o where o.customer = c.id) m from customer c where not exists (select 1 from orders o where o.customer = c.id and o.total > 990) order by m desc, c.name fetch first 4 rows only");
        show(s, "with recursive chain(id, depth) as (select id, 0 from customer where boss is null union all select c.id, h.depth + 1 from customer c join chain h on c.boss = h.id) select depth, count(*), min(id), max(id) from chain group by depth order by depth");
        show(s, "select digits(id) d, count(*) from orders group by digits(id) having count(*) > 20 order by d fetch first 5 rows only");
        show(s, "select extract(year from placed) y, extract(month from placed) m, avg(total) from orders where placed between date '2020-11-01' and date '2021-02-28' group by extract(year from placed), extract(month from placed) order by y, m");
        show(s, "select upper(substring(item from 1 for 4)) || '-' || trim(substring(item from 6)), sum(amount) from line where item like 'item 1_' or item in ('item 3', 'item 5') group by item order by item");
        show(s, "select city from customer where id < 10 union select item from line where orders = 3 except select 'Oslo' from customer where id = 1 order by 1");
    }

    static void change(Connection c, Statement s) throws SQLException {
        for (String bad : new String[] {"insert into orders values(1, 1, 1, null)", "insert into orders values(-1, 99, 1, null)",
                "insert into orders values(-1, 1, -5, null)", "delete from customer where id = 2", "select * from nothing", "selec 1",
                "update customer set name = null where id = 1", "insert into customer values(99, 'customer 1', 'x', 1)", "select 1 / 0 from customer"}) {
            try {
                s.execute(bad);
                System.out.println("accepted: " + bad);
            } catch (SQLException e) {
                System.out.println(e.getSQLState() + " " + e.getErrorCode());
            }
        }
        c.setAutoCommit(false);
        System.out.println(s.executeUpdate("delete from orders where id between 100 and 199") + " deleted");
        Savepoint here = c.setSavepoint();
        System.out.println(s.executeUpdate("update orders set total = total * 2 where customer in (select id from customer where city = 'Lima')") + " doubled");
        show(s, "select sum(total) from orders");
        c.rollback(here);
        show(s, "select sum(total) from orders");
        s.executeUpdate("merge into customer t using (values(3, 'changed'), (60, 'new')) v(id, name) on t.id = v.id "
                + "when matched then update set t.name = v.name when not matched then insert (id, name, city, boss) values(v.id, v.name, 'Riga', 1)");
        show(s, "select id, name, city from customer where id in (3, 60) order by id");
        c.rollback();
        show(s, "select count(*) from line l left join orders o on o.id = l.orders where o.id is null");
        c.setAutoCommit(true);
        s.executeUpdate("delete from orders where id = 7");
        show(s, "select count(*) from line where orders = 7");
    }

    static void largeObjects(Connection c) throws SQLException {
        try (PreparedStatement p = c.prepareStatement("insert into picture values(?, ?, ?)")) {
            for (int i = 0; i < 5; i++) {
                byte[] data = new byte[20_000 * i];
                new java.util.Random(i).nextBytes(data);
                p.setInt(1, i);
                p.setBytes(2, data);
                p.setString(3, "caption ".repeat(i * 500));
                p.executeUpdate();
            }
        }
        try (Statement s = c.createStatement(); ResultSet r = s.executeQuery("select data, caption from picture order by id")) {
            while (r.next()) {
                System.out.println(java.util.Arrays.hashCode(r.getBytes(1)) + " " + r.getString(2).hashCode());
            }
        }
    }

    static void windows(Statement s) throws SQLException {
        show(s, "select * from (select customer, id, total, rank() over (partition by customer order by total desc) r, sum(total) over (partition by customer order by id rows between 2 preceding and current row) w from orders) where r <= 2 and customer < 4 order by customer, r, id");
        show(s, "select distinct percentile_cont(0.5) within group (order by total) over () from orders");
        show(s, "select listagg(name, ', ') within group (order by name) from customer where city = 'Quito'");
        show(s, "select regexp_replace(name, '[0-9]+', '#'), count(*) from customer group by regexp_replace(name, '[0-9]+', '#')");
        show(s, "select json_object('city': city, 'n': count(*)) from customer group by city order by city");
    }

    static void show(Statement s, String sql) throws SQLException {
        try (ResultSet r = s.executeQuery(sql)) {
            int n = r.getMetaData().getColumnCount();
            while (r.next()) {
                StringBuilder line = new StringBuilder();
                for (int i = 1; i <= n; i++) line.append(i > 1 ? " | " : "").append(r.getString(i));
                System.out.println(line);
            }
        }
    }
}
