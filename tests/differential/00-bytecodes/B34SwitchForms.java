// covers: tableswitch(padding,big,stacked) lookupswitch(padding,big,empty)
public class B34SwitchForms {
    public static void main(String[] args) {
        int[] values = {
            Integer.MIN_VALUE,
            -70001,
            -70000,
            -500,
            -501,
            -4,
            -3,
            -1,
            0,
            1,
            2,
            4,
            5,
            6,
            1499,
            1500,
            1501,
            70000,
            Integer.MAX_VALUE
        };
        for (int v : values) {
            System.out.println(GenSwitch.table0(v));
            System.out.println(GenSwitch.table1(v));
            System.out.println(GenSwitch.table2(v));
            System.out.println(GenSwitch.table3(v));
            System.out.println(GenSwitch.lookup0(v));
            System.out.println(GenSwitch.lookup1(v));
            System.out.println(GenSwitch.lookup2(v));
            System.out.println(GenSwitch.lookup3(v));
            System.out.println(GenSwitch.bigTable(v));
            System.out.println(GenSwitch.bigLookup(v));
            System.out.println(GenSwitch.emptyLookup(v));
            System.out.println(GenSwitch.stacked(v));
        }
        int h = 0;
        for (int i = 0; i < 1000; i++)
            h =
                    h * 31
                            + GenSwitch.bigLookup((i - 500) * 4_000_000 + i)
                            + GenSwitch.bigLookup((i - 500) * 4_000_000 + i + 1);
        System.out.println(h);
    }
}
