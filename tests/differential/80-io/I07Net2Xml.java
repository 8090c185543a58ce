import java.util.*;
import java.util.logging.*;

import javax.xml.parsers.*;

public class I07Net2Xml {
    public static void main(String[] args) throws Exception {
        var doc =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(
                                new java.io.ByteArrayInputStream(
                                        "<a x='1'><b>t&amp;</b><!-- c --><b/></a>".getBytes()));
        System.out.println(
                doc.getDocumentElement().getAttribute("x")
                        + doc.getElementsByTagName("b").getLength()
                        + doc.getElementsByTagName("b").item(0).getTextContent());
        var sw = new java.io.StringWriter();
        var tf = javax.xml.transform.TransformerFactory.newInstance().newTransformer();
        tf.setOutputProperty("omit-xml-declaration", "yes");
        tf.transform(
                new javax.xml.transform.dom.DOMSource(doc),
                new javax.xml.transform.stream.StreamResult(sw));
        System.out.println(sw);
        try {
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new java.io.ByteArrayInputStream("<a>".getBytes()));
        } catch (org.xml.sax.SAXParseException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                javax.xml.xpath.XPathFactory.newInstance().newXPath().evaluate("count(//b)", doc));
        Logger l = Logger.getLogger("x");
        l.setUseParentHandlers(false);
        l.addHandler(
                new Handler() {
                    public void publish(LogRecord r) {
                        System.out.println(r.getLevel() + r.getMessage() + r.getSourceMethodName());
                    }

                    public void flush() {}

                    public void close() {}
                });
        l.info("logged");
        l.fine("not");
        ResourceBundle rb =
                new ListResourceBundle() {
                    protected Object[][] getContents() {
                        return new Object[][] {{"k", "v"}};
                    }
                };
        System.out.println(rb.getString("k"));
        System.out.println(
                Locale.forLanguageTag("de-DE").getDisplayCountry(Locale.ENGLISH)
                        + Currency.getInstance("EUR").getSymbol(Locale.US)
                        + java.text.NumberFormat.getInstance(Locale.GERMANY).format(1234.5)
                        + java.text.Collator.getInstance(Locale.FRENCH).compare("e", "\u00e9"));
        Optional<javax.script.ScriptEngine> none =
                Optional.ofNullable(new javax.script.ScriptEngineManager().getEngineByName("js"));
        System.out.println(none.isPresent());
        java.util.prefs.Preferences.class.getName();
        System.out.println(javax.tools.ToolProvider.getSystemJavaCompiler() != null);
    }
}
