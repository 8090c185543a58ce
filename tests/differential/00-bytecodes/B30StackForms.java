// covers: dup(ok) dup_x1(form1) dup_x2(form1,form2) dup2(form1,form2) dup2_x1(form1,form2)
// covers: dup2_x2(form1,form2,form3,form4) pop2(form1,form2) swap(ok) nop(ok)
public class B30StackForms {
    public static void main(String[] args) {
        GenShuffles.run();
    }
}
