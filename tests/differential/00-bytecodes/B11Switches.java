// covers: tableswitch(hit,default-low,default-high) lookupswitch(hit,default)
public class B11Switches {
    static int table(int i) {
        switch (i) {
            case -2:
                return 100;
            case -1:
                return 101;
            case 0:
                return 102;
            case 1:
                return 103;
            case 3:
                return 105;
            case 4:
                i = 9; // falls through
            case 5:
                return i;
            default:
                return -1;
        }
    }

    static int lookup(int i) {
        switch (i) {
            case Integer.MIN_VALUE:
                return 1;
            case -100000:
                return 2;
            case -1:
                return 3;
            case 0:
                return 4;
            case 1000:
                return 5;
            case 123456789:
                return 6;
            case Integer.MAX_VALUE:
                return 7;
            default:
                return 8;
        }
    }

    static int edgeTable(int i) {
        switch (i) {
            case Integer.MAX_VALUE:
                return 1;
            case Integer.MAX_VALUE - 1:
                return 2;
            case Integer.MAX_VALUE - 2:
                return 3;
            default:
                return 4;
        }
    }

    static int lowTable(int i) {
        switch (i) {
            case Integer.MIN_VALUE:
                return 1;
            case Integer.MIN_VALUE + 1:
                return 2;
            case Integer.MIN_VALUE + 2:
                return 3;
            default:
                return 4;
        }
    }

    static int onlyDefault(int i) {
        switch (i) {
            default:
                return i + 1;
        }
    }

    static int chars(char c) {
        switch (c) {
            case 'a':
            case 'e':
            case 'i':
            case 'o':
            case 'u':
                return 1;
            case '\uffff':
                return 2;
            default:
                return 0;
        }
    }

    public static void main(String[] args) {
        for (int i = -4; i < 8; i++) {
            System.out.println(table(i));
        }
        System.out.println(table(Integer.MAX_VALUE));
        System.out.println(table(Integer.MIN_VALUE));
        int[] keys = {
            Integer.MIN_VALUE,
            Integer.MIN_VALUE + 1,
            -100001,
            -100000,
            -99999,
            -1,
            0,
            1,
            999,
            1000,
            1001,
            123456789,
            Integer.MAX_VALUE - 1,
            Integer.MAX_VALUE
        };
        for (int k : keys) {
            System.out.println(lookup(k));
            System.out.println(edgeTable(k));
            System.out.println(lowTable(k));
        }
        System.out.println(onlyDefault(3));
        System.out.println(chars('e'));
        System.out.println(chars('\uffff'));
        System.out.println(chars('b'));
    }
}
