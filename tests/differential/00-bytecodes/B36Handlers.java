// covers: athrow(first-row,self-protecting,missing-type)
public class B36Handlers {
    public static void main(String[] args) {
        System.out.println(GenHandlers.order(0));
        System.out.println(GenHandlers.order(1));
        System.out.println(GenHandlers.self(5));
        System.out.println(GenHandlers.missingType(5));
        try { System.out.println(GenHandlers.missingType(0)); } catch (Throwable t) { System.out.println(t); }
    }
}
