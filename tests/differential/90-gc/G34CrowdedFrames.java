/** A method with sixty references in its locals, across allocations, polls, calls, locks and guards that fail in the middle. */
public class G34CrowdedFrames {
    static Object shared = new Object();
    static int seen;
    static int hash(Object o) { return o instanceof int[] ? ((int[]) o)[0] : o.toString().length(); }
    static Object make(int i) { return i % 97 == 0 ? "s" + i : new int[] {i, i + 1}; }

    static int crowded(int i, int[] from, Object odd) {
        Object v0 = make(i);
        int[] v1 = {i + 1, 1};
        int[] v2 = {i + 2, 2};
        int[] v3 = {i + 3, 3};
        int[] v4 = {i + 4, 4};
        int[] v5 = {i + 5, 5};
        int[] v6 = {i + 6, 6};
        int[] v7 = {i + 7, 7};
        int[] v8 = {i + 8, 8};
        int[] v9 = {i + 9, 9};
        int[] v10 = {i + 10, 10};
        int[] v11 = {i + 11, 11};
        int[] v12 = {i + 12, 12};
        int[] v13 = {i + 13, 13};
        int[] v14 = {i + 14, 14};
        int[] v15 = {i + 15, 15};
        int[] v16 = {i + 16, 16};
        int[] v17 = {i + 17, 17};
        int[] v18 = {i + 18, 18};
        int[] v19 = {i + 19, 19};
        int[] v20 = {i + 20, 20};
        int[] v21 = {i + 21, 21};
        int[] v22 = {i + 22, 22};
        int[] v23 = {i + 23, 23};
        int[] v24 = {i + 24, 24};
        int[] v25 = {i + 25, 25};
        int[] v26 = {i + 26, 26};
        int[] v27 = {i + 27, 27};
        int[] v28 = {i + 28, 28};
        int[] v29 = {i + 29, 29};
        int[] v30 = {i + 30, 30};
        int[] v31 = {i + 31, 31};
        int[] v32 = {i + 32, 32};
        int[] v33 = {i + 33, 33};
        int[] v34 = {i + 34, 34};
        int[] v35 = {i + 35, 35};
        int[] v36 = {i + 36, 36};
        int[] v37 = {i + 37, 37};
        int[] v38 = {i + 38, 38};
        int[] v39 = {i + 39, 39};
        int[] v40 = {i + 40, 40};
        int[] v41 = {i + 41, 41};
        int[] v42 = {i + 42, 42};
        int[] v43 = {i + 43, 43};
        int[] v44 = {i + 44, 44};
        int[] v45 = {i + 45, 45};
        int[] v46 = {i + 46, 46};
        int[] v47 = {i + 47, 47};
        int[] v48 = {i + 48, 48};
        int[] v49 = {i + 49, 49};
        int[] v50 = {i + 50, 50};
        int[] v51 = {i + 51, 51};
        int[] v52 = {i + 52, 52};
        int[] v53 = {i + 53, 53};
        int[] v54 = {i + 54, 54};
        int[] v55 = {i + 55, 55};
        int[] v56 = {i + 56, 56};
        int[] v57 = {i + 57, 57};
        int[] v58 = {i + 58, 58};
        int[] v59 = {i + 59, 59};
        int sum = 0;
        for (int j = 0; j < 3; j++) {
            int[] more = new int[j + 2];
            more[j] = j;
            sum += more[j] + v7[0] + v59[1];
            synchronized (v3) { sum += v3[1]; }
        }
        synchronized (shared) { seen += v5[0]; }
        sum += from[i & 3];
        if (odd instanceof String) sum += ((String) odd).length();
        Object[] last = {v0, v1, v2, new Object[] {v4, v6}};
        sum += last.length + hash(v0);
        sum += v1[0] * 1 + v1[1] + v2[0] * 2 + v2[1] + v3[0] * 3 + v3[1] + v4[0] * 4 + v4[1] + v5[0] * 5 + v5[1] + v6[0] * 6 + v6[1] + v7[0] * 7 + v7[1] + v8[0] * 8 + v8[1] + v9[0] * 9 + v9[1] + v10[0] * 10 + v10[1] + v11[0] * 11 + v11[1] + v12[0] * 12 + v12[1] + v13[0] * 13 + v13[1] + v14[0] * 14 + v14[1] + v15[0] * 15 + v15[1] + v16[0] * 16 + v16[1] + v17[0] * 17 + v17[1] + v18[0] * 18 + v18[1] + v19[0] * 19 + v19[1] + v20[0] * 20 + v20[1] + v21[0] * 21 + v21[1] + v22[0] * 22 + v22[1] + v23[0] * 23 + v23[1] + v24[0] * 24 + v24[1] + v25[0] * 25 + v25[1] + v26[0] * 26 + v26[1] + v27[0] * 27 + v27[1] + v28[0] * 28 + v28[1] + v29[0] * 29 + v29[1] + v30[0] * 30 + v30[1] + v31[0] * 31 + v31[1] + v32[0] * 32 + v32[1] + v33[0] * 33 + v33[1] + v34[0] * 34 + v34[1] + v35[0] * 35 + v35[1] + v36[0] * 36 + v36[1] + v37[0] * 37 + v37[1] + v38[0] * 38 + v38[1] + v39[0] * 39 + v39[1] + v40[0] * 40 + v40[1] + v41[0] * 41 + v41[1] + v42[0] * 42 + v42[1] + v43[0] * 43 + v43[1] + v44[0] * 44 + v44[1] + v45[0] * 45 + v45[1] + v46[0] * 46 + v46[1] + v47[0] * 47 + v47[1] + v48[0] * 48 + v48[1] + v49[0] * 49 + v49[1] + v50[0] * 50 + v50[1] + v51[0] * 51 + v51[1] + v52[0] * 52 + v52[1] + v53[0] * 53 + v53[1] + v54[0] * 54 + v54[1] + v55[0] * 55 + v55[1] + v56[0] * 56 + v56[1] + v57[0] * 57 + v57[1] + v58[0] * 58 + v58[1] + v59[0] * 59 + v59[1];
        return sum;
    }
    /** The same in a loop that jumps back with all of them. */
    static long turning(int turns) {
        String a0 = "a" + 0;
        String a1 = "a" + 1;
        String a2 = "a" + 2;
        String a3 = "a" + 3;
        String a4 = "a" + 4;
        String a5 = "a" + 5;
        String a6 = "a" + 6;
        String a7 = "a" + 7;
        String a8 = "a" + 8;
        String a9 = "a" + 9;
        String a10 = "a" + 10;
        String a11 = "a" + 11;
        String a12 = "a" + 12;
        String a13 = "a" + 13;
        String a14 = "a" + 14;
        String a15 = "a" + 15;
        String a16 = "a" + 16;
        String a17 = "a" + 17;
        String a18 = "a" + 18;
        String a19 = "a" + 19;
        String a20 = "a" + 20;
        String a21 = "a" + 21;
        String a22 = "a" + 22;
        String a23 = "a" + 23;
        String a24 = "a" + 24;
        String a25 = "a" + 25;
        String a26 = "a" + 26;
        String a27 = "a" + 27;
        String a28 = "a" + 28;
        String a29 = "a" + 29;
        String a30 = "a" + 30;
        String a31 = "a" + 31;
        String a32 = "a" + 32;
        String a33 = "a" + 33;
        String a34 = "a" + 34;
        String a35 = "a" + 35;
        String a36 = "a" + 36;
        String a37 = "a" + 37;
        String a38 = "a" + 38;
        String a39 = "a" + 39;
        long sum = 0;
        for (int t = 0; t < turns; t++) {
            byte[] b = new byte[t & 63];
            sum += b.length;
            a0 = (t & 31) == 0 ? a1 : a0;
            a1 = (t & 31) == 1 ? a2 : a1;
            a2 = (t & 31) == 2 ? a3 : a2;
            a3 = (t & 31) == 3 ? a4 : a3;
            a4 = (t & 31) == 4 ? a5 : a4;
            a5 = (t & 31) == 5 ? a6 : a5;
            a6 = (t & 31) == 6 ? a7 : a6;
            a7 = (t & 31) == 7 ? a8 : a7;
            a8 = (t & 31) == 8 ? a9 : a8;
            a9 = (t & 31) == 9 ? a10 : a9;
            a10 = (t & 31) == 10 ? a11 : a10;
            a11 = (t & 31) == 11 ? a12 : a11;
            a12 = (t & 31) == 12 ? a13 : a12;
            a13 = (t & 31) == 13 ? a14 : a13;
            a14 = (t & 31) == 14 ? a15 : a14;
            a15 = (t & 31) == 15 ? a16 : a15;
            a16 = (t & 31) == 16 ? a17 : a16;
            a17 = (t & 31) == 17 ? a18 : a17;
            a18 = (t & 31) == 18 ? a19 : a18;
            a19 = (t & 31) == 19 ? a20 : a19;
            a20 = (t & 31) == 20 ? a21 : a20;
            a21 = (t & 31) == 21 ? a22 : a21;
            a22 = (t & 31) == 22 ? a23 : a22;
            a23 = (t & 31) == 23 ? a24 : a23;
            a24 = (t & 31) == 24 ? a25 : a24;
            a25 = (t & 31) == 25 ? a26 : a25;
            a26 = (t & 31) == 26 ? a27 : a26;
            a27 = (t & 31) == 27 ? a28 : a27;
            a28 = (t & 31) == 28 ? a29 : a28;
            a29 = (t & 31) == 29 ? a30 : a29;
            a30 = (t & 31) == 30 ? a31 : a30;
            a31 = (t & 31) == 31 ? a32 : a31;
            a32 = (t & 31) == 0 ? a33 : a32;
            a33 = (t & 31) == 1 ? a34 : a33;
            a34 = (t & 31) == 2 ? a35 : a34;
            a35 = (t & 31) == 3 ? a36 : a35;
            a36 = (t & 31) == 4 ? a37 : a36;
            a37 = (t & 31) == 5 ? a38 : a37;
            a38 = (t & 31) == 6 ? a39 : a38;
        }
        return sum + a0.hashCode() * 1L + a1.hashCode() * 2L + a2.hashCode() * 3L + a3.hashCode() * 4L + a4.hashCode() * 5L + a5.hashCode() * 6L + a6.hashCode() * 7L + a7.hashCode() * 8L + a8.hashCode() * 9L + a9.hashCode() * 10L + a10.hashCode() * 11L + a11.hashCode() * 12L + a12.hashCode() * 13L + a13.hashCode() * 14L + a14.hashCode() * 15L + a15.hashCode() * 16L + a16.hashCode() * 17L + a17.hashCode() * 18L + a18.hashCode() * 19L + a19.hashCode() * 20L + a20.hashCode() * 21L + a21.hashCode() * 22L + a22.hashCode() * 23L + a23.hashCode() * 24L + a24.hashCode() * 25L + a25.hashCode() * 26L + a26.hashCode() * 27L + a27.hashCode() * 28L + a28.hashCode() * 29L + a29.hashCode() * 30L + a30.hashCode() * 31L + a31.hashCode() * 32L + a32.hashCode() * 33L + a33.hashCode() * 34L + a34.hashCode() * 35L + a35.hashCode() * 36L + a36.hashCode() * 37L + a37.hashCode() * 38L + a38.hashCode() * 39L + a39.hashCode() * 40L;
    }
    public static void main(String[] args) {
        int[] from = {1, 2, 3, 4};
        long sum = 0;
        for (int i = 0; i < 6000; i++) sum = sum * 31 + crowded(i, from, i % 1000 == 999 ? "odd" : (Object) from);
        System.out.println(sum + " " + seen);
        for (int i = 0; i < 40; i++) sum = sum * 31 + turning(i * 20);
        System.out.println(sum + " " + turning(3000));
        try {
            System.out.println(crowded(3, new int[3], "odd"));
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
