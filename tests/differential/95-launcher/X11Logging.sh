# HotSpot's log syntax for the tags that exist in both.
j="$JAVA_HOME/bin/java $VM_OPTIONS -cp $CLASSES"
$j -Xlog:class+load B01Hello | grep -c 'B01Hello source: file:'
$j -verbose:class B01Hello | grep -c 'java.lang.Object source: '
$j -Xlog:class+load:file=l.txt B01Hello; grep -c 'B01Hello source' l.txt
$j -Xlog:class+load=info:stderr:none B01Hello 2>&1 >/dev/null | grep '^B01Hello source' | sed 's/file:.*/FILE/'
$j -verbose:gc -Xmx32m G06BigObjects 2>/dev/null | grep -c '^\[.*\]\[info\]\[gc.*\] GC' | sed 's/[1-9][0-9]*/some/'
$j -Xlog:help | head -1
