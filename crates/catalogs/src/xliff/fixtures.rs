//! Documents as frameworks write them.

/// Angular, `ng extract-i18n --format xlf`.
pub(super) const ANGULAR: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file source-language="en-US" datatype="plaintext" original="ng2.template">
    <body>
      <trans-unit id="introductionHeader" datatype="html">
        <source>Hello <x id="START_TAG_STRONG" ctype="x-strong" equiv-text="&lt;strong&gt;"/>you<x id="CLOSE_TAG_STRONG" ctype="x-strong" equiv-text="&lt;/strong&gt;"/>, <x id="INTERPOLATION" equiv-text="{{name}}"/>!</source>
        <context-group purpose="location">
          <context context-type="sourcefile">src/app/app.component.html</context>
          <context context-type="linenumber">2</context>
        </context-group>
        <note priority="1" from="description">An introduction header for this sample</note>
        <note priority="1" from="meaning">User welcome</note>
      </trans-unit>
      <trans-unit id="2763042437811105410" datatype="html">
        <source>{VAR_PLURAL, plural, =0 {just now} other {<x id="INTERPOLATION"/> minutes ago}}</source>
      </trans-unit>
      <trans-unit id="logo" datatype="html">
        <source>a &lt; b &amp;&amp; "c"
          on two lines</source>
        <target/>
      </trans-unit>
    </body>
  </file>
</xliff>
"#;

/// Angular, `--format xlf2`, with a unit of several segments.
pub(super) const XLIFF_2: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en-US">
  <file original="ng.template" id="ngi18n">
    <unit id="greeting">
      <notes>
        <note category="description">A greeting</note>
        <note category="location">src/app/app.component.html:2</note>
      </notes>
      <segment>
        <source>Hello <pc id="0" equivStart="START_TAG_B" type="fmt">you</pc> <ph id="1" equiv="INTERPOLATION" disp="{{name}}"/></source>
      </segment>
    </unit>
    <group id="g" translate="no">
      <unit id="fixed">
        <segment state="initial">
          <source>SKU</source>
          <target>SKU</target>
        </segment>
      </unit>
      <unit id="free" translate="yes">
        <segment state="reviewed" subState="x:y">
          <source>Buy</source>
          <target>Kaufen</target>
        </segment>
      </unit>
    </group>
    <unit id="long" canResegment="no">
      <segment id="s1" state="final">
        <source>One.</source>
        <target>Eins.</target>
      </segment>
      <ignorable>
        <source> </source>
      </ignorable>
      <segment id="s2">
        <source>Two.</source>
      </segment>
      <segment id="s3">
        <source>Three.</source>
      </segment>
    </unit>
  </file>
</xliff>
"#;

/// Xcode, `Product > Export Localizations`.
pub(super) const XCODE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.2" xsi:schemaLocation="urn:oasis:names:tc:xliff:document:1.2 http://docs.oasis-open.org/xliff/v1.2/os/xliff-core-1.2-strict.xsd">
  <file original="Shop/en.lproj/InfoPlist.strings" source-language="en" target-language="de" datatype="plaintext">
    <header>
      <tool tool-id="com.apple.dt.xcode" tool-name="Xcode" tool-version="15.0" build-num="15A240d"/>
    </header>
    <body>
      <trans-unit id="CFBundleName" xml:space="preserve">
        <source>Shop</source>
        <target>Laden</target>
        <note>Bundle name</note>
      </trans-unit>
    </body>
  </file>
  <file original="Shop/en.lproj/Localizable.strings" source-language="en" target-language="de" datatype="plaintext">
    <body>
      <trans-unit id="%lld items in %@" xml:space="preserve">
        <source>%lld items in %@</source>
        <note>No comment provided by engineer.</note>
      </trans-unit>
      <trans-unit id="CFBundleName" xml:space="preserve">
        <source>Shop</source>
        <target state="needs-review-translation" state-qualifier="leveraged-mt">Geschäft</target>
        <note/>
      </trans-unit>
    </body>
  </file>
</xliff>
"#;

/// Symfony, with tabs and Windows line endings.
pub(super) const SYMFONY: &str = "<?xml version=\"1.0\"?>\r\n<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\r\n\t<file source-language=\"en\" target-language=\"fr\" datatype=\"plaintext\" original=\"file.ext\">\r\n\t\t<body>\r\n\t\t\t<trans-unit id=\"hLPQzRl\" resname=\"hello\" maxwidth=\"20\" size-unit=\"char\">\r\n\t\t\t\t<source>Hello %name%</source>\r\n\t\t\t\t<target state=\"new\">__Hello %name%</target>\r\n\t\t\t</trans-unit>\r\n\t\t\t<!-- a comment -->\r\n\t\t\t<trans-unit id=\"cd\" maxwidth=\"20\">\r\n\t\t\t\t<source><![CDATA[<b>All</b> & more]]></source>\r\n\t\t\t\t<target><![CDATA[<b>Tout</b>]]></target>\r\n\t\t\t</trans-unit>\r\n\t\t\t<trans-unit id=\"brand\" translate=\"no\"><source>tulk</source></trans-unit>\r\n\t\t</body>\r\n\t</file>\r\n</xliff>\r\n";

pub(super) const ALL_FILES: [&str; 4] = [ANGULAR, XLIFF_2, XCODE, SYMFONY];
