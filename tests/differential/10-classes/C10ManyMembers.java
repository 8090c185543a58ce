// covers: invokevirtual(deep-vtable) invokeinterface(many-interfaces) getfield(wide-layout)
public class C10ManyMembers {
    public static void main(String[] args) throws Exception {
        Object o = Class.forName("HugeClass").getDeclaredConstructor().newInstance();
        System.out.println(Class.forName("HugeClass").getMethod("sum").invoke(o));
        System.out.println(
                Class.forName("HugeClass").getDeclaredFields().length
                        + " "
                        + Class.forName("HugeClass").getDeclaredMethods().length
                        + " "
                        + Class.forName("HugeClass").getInterfaces().length);
        System.out.println(
                HugeCaller.deep() + " " + HugeCaller.interfaces() + " " + HugeCaller.big(3));
        System.out.println(HugeCaller.text().length() + " " + HugeCaller.text().hashCode());
    }
}
