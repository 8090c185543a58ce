// Call sites whose targets the language's runtime sets: each line is a loop's name, its result and its time.
class Pair {
    int a, b

    Pair(int a, int b) { this.a = a; this.b = b }

    Pair add(Pair o) { new Pair(a + o.a, b + o.b) }
}

def calls(n) { n < 2 ? n : calls(n - 1) + calls(n - 2) }

def objects(n) {
    def v = new Pair(0, 0)
    def w = new Pair(1, 2)
    for (int i = 0; i < n; i++) v = v.add(w)
    v.a + v.b
}

def closures(n) {
    def s = 0
    n.times { s += it ^ 30000 }
    s
}

def maps(n) {
    def h = [:]
    for (int i = 0; i < n; i++) h[i & 255] = i
    h.size()
}

def timed(name, loop) {
    def begin = System.nanoTime()
    def result = loop()
    println "$name $result ${(System.nanoTime() - begin) / 1e6}"
}

int rounds = args[0] as int
for (int k = 0; k < rounds; k++) {
    timed("calls", { calls(24) })
    timed("objects", { objects(300000) })
    timed("closures", { closures(500000) })
    timed("maps", { maps(300000) })
}
