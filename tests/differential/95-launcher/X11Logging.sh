# HotSpot's log syntax for the tags that exist in both.
j="$JAVA_HOME/bin/java $VM_OPTIONS -cp $CLASSES"
$j -Xlog:class+load B01Hello | grep -c 'B01Hello source: file:'
$j -verbose:class B01Hello | grep -c 'java.lang.Object source: '
$j -Xlog:class+load:file=l.txt B01Hello; grep -c 'B01Hello source' l.txt
$j -Xlog:class+load=info:stderr:none B01Hello 2>&1 >/dev/null | grep '^B01Hello source' | sed 's/file:.*/FILE/'
$j -verbose:gc -Xmx32m G06BigObjects 2>/dev/null | grep -c '^\[.*\]\[info\]\[gc.*\] GC' | sed 's/[1-9][0-9]*/some/'
$j -Xlog:help | head -1
# Each output has its own levels and decorators; what is wrong is told as HotSpot tells it.
$j -Xlog:class+load:file=own.txt:none -Xlog:gc=off B01Hello; grep -c '^B01Hello source' own.txt
$j -Xlog:class+load:file=own.txt:none:filecount=3 B01Hello; grep -l '^B01Hello source' own.txt own.txt.0
$j -Xlog:class+load:file=two.txt:l,tg -Xlog:class+init=info:stderr B01Hello 2>/dev/null; grep -c 'class,init' two.txt
$j -Xlog:disable -Xlog:class+load:file=\"a:b.txt\":hn B01Hello; ls a*b.txt 2>/dev/null
for bad in gc::hour gc:file=x.txt::filecount=2000 gc:file=x.txt::filesize=many gc:file=x.txt::colour=red gc:file=no/such/folder; do
  $j -Xlog:$bad B01Hello 2>&1 | sed 's/^\[[0-9.]*s\]//'
done
