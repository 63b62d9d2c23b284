//! Recognizes inputs that are not text, such as documents, archives and images, by their first bytes.
//!
//! Contains only signatures that text never starts with. A detection crate would also refuse text that starts with
//! "BM", the signature of bitmaps.

use std::path::Path;

use tulk_base::error::{Failure, Origin};
use tulk_base::shell;

#[derive(Clone, Copy, Debug)]
enum SignatureContent {
    /// Name of a document type, and the extensions that `tulk doc` accepts for it.
    Document(&'static str, &'static [&'static str]),
    /// An Office document from before 2007. `tulk doc` accepts those of Word.
    OldOffice,
    /// A ZIP archive, possibly a document.
    Zip,
    /// Name of an image type that `tulk doc` does not accept.
    Image(&'static str),
    /// Name of the compression, and a command that decompresses it.
    Compressed(&'static str, &'static str),
    Archive(&'static str),
    Audio(&'static str),
    /// Text in another encoding, with its name in `iconv`.
    Encoded(&'static str),
}

const SIGNATURES: &[(&[u8], SignatureContent)] = &[
    (b"PK\x03\x04", SignatureContent::Zip),
    (b"PK\x05\x06", SignatureContent::Zip),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", SignatureContent::OldOffice),
    (b"%PDF-", SignatureContent::Document("a PDF document", &["pdf"])),
    (b"\xff\xd8\xff", SignatureContent::Document("a JPEG image", &["jpg", "jpeg"])),
    (b"\x89PNG\r\n\x1a\n", SignatureContent::Document("a PNG image", &["png"])),
    (b"GIF87a", SignatureContent::Image("a GIF image")),
    (b"GIF89a", SignatureContent::Image("a GIF image")),
    (b"II*\0", SignatureContent::Image("a TIFF image")),
    (b"MM\0*", SignatureContent::Image("a TIFF image")),
    (b"\x1f\x8b", SignatureContent::Compressed("gzip data", "gzip -dc")),
    (b"\xfd7zXZ\0", SignatureContent::Compressed("xz data", "xz -dc")),
    (b"\x28\xb5\x2f\xfd", SignatureContent::Compressed("zstd data", "zstd -dc")),
    (b"BZh91AY&SY", SignatureContent::Compressed("bzip2 data", "bzip2 -dc")),
    (b"7z\xbc\xaf\x27\x1c", SignatureContent::Archive("a 7z archive")),
    (b"Rar!\x1a\x07", SignatureContent::Archive("a RAR archive")),
    (b"OggS\0", SignatureContent::Audio("an Ogg recording")),
    (b"fLaC\0", SignatureContent::Audio("a FLAC recording")),
    (b"ID3\x02", SignatureContent::Audio("an MP3 recording")),
    (b"ID3\x03", SignatureContent::Audio("an MP3 recording")),
    (b"ID3\x04", SignatureContent::Audio("an MP3 recording")),
    (b"\x1a\x45\xdf\xa3", SignatureContent::Audio("a Matroska or WebM recording")),
    (b"\xff\xfe\0\0", SignatureContent::Encoded("UTF-32")),
    (b"\0\0\xfe\xff", SignatureContent::Encoded("UTF-32")),
    (b"\xff\xfe", SignatureContent::Encoded("UTF-16")),
    (b"\xfe\xff", SignatureContent::Encoded("UTF-16")),
];

const OFFICE_EXTENSIONS: &[&str] = &["docx", "pptx", "xlsx"];
/// Word, Excel and PowerPoint files from before 2007, in messages.
const OLD_OFFICE: &str = "an old Office document";
const OLD_WORD_EXTENSIONS: &[&str] = &["doc"];
const INDESIGN_EXTENSIONS: &[&str] = &["idml"];

/// Names of files in the archive of an Office document.
const OFFICE_NAMES: [&[u8]; 5] = [b"[Content_Types].xml", b"_rels/", b"word/", b"ppt/", b"xl/"];

/// Content of the first file in the archive of an IDML document.
const INDESIGN_MEDIA_TYPE: &[u8] = b"application/vnd.adobe.indesign-idml-package";

pub fn is_undecided(start: &[u8]) -> bool {
    SIGNATURES.iter().any(|(signature, _)| signature.len() > start.len() && signature.starts_with(start))
}

/// Returns an error if the input is not text. UTF-8 is text, and UTF-16 if `with_utf16`. `name` is used in messages.
pub fn refusal(name: &str, start: &[u8], with_utf16: bool) -> Option<Failure> {
    let (_, content) = SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature))?;
    let is_stdin = name == "stdin";
    let file = if is_stdin { String::new() } else { format!(" {}", shell::quote_file(name)) };
    let ending = Path::new(name).extension().unwrap_or_default();
    let is_one_of = |extensions: &[&str]| extensions.iter().any(|known| ending.eq_ignore_ascii_case(known));
    let has = |part: &[u8]| memchr::memmem::find(start, part).is_some();
    // The extension decides too: a large file may come first in the archive, before the known names.
    let content = match *content {
        SignatureContent::Zip if is_one_of(OFFICE_EXTENSIONS) || OFFICE_NAMES.iter().any(|file| has(file)) => {
            SignatureContent::Document("a Word, PowerPoint or Excel document", OFFICE_EXTENSIONS)
        }
        SignatureContent::Zip if is_one_of(INDESIGN_EXTENSIONS) || has(INDESIGN_MEDIA_TYPE) => {
            SignatureContent::Document("an InDesign document", INDESIGN_EXTENSIONS)
        }
        SignatureContent::OldOffice if is_one_of(OLD_WORD_EXTENSIONS) => {
            SignatureContent::Document(OLD_OFFICE, OLD_WORD_EXTENSIONS)
        }
        content => content,
    };
    let (what, hint) = match content {
        SignatureContent::Document(what, extensions) => {
            let input = if is_stdin { " -" } else { &file };
            let filename = if is_one_of(extensions) { "" } else { " --filename NAME" };
            (what, format!("`tulk doc translate{input}{filename}` translates documents"))
        }
        SignatureContent::OldOffice => {
            (OLD_OFFICE, "save it as docx, xlsx or pptx, which `tulk doc translate` takes".to_owned())
        }
        SignatureContent::Zip => ("a ZIP archive", "pass the text files in it".to_owned()),
        SignatureContent::Archive(what) => (what, "pass the text files in it".to_owned()),
        SignatureContent::Image(what) => {
            (what, "convert it to PNG or JPEG, which `tulk doc translate` takes".to_owned())
        }
        SignatureContent::Compressed(what, command) => (what, format!("decompress it first: {command}{file}")),
        SignatureContent::Audio(what) => (what, "`tulk voice stream` transcribes and translates speech".to_owned()),
        SignatureContent::Encoded("UTF-16") if with_utf16 => return None,
        SignatureContent::Encoded(encoding) => {
            let failure = Failure::usage(format!("this is {encoding} text, not UTF-8")).at(Origin::whole(name));
            return Some(failure.hint(format!("convert it first: iconv -f {encoding} -t UTF-8{file}")));
        }
    };
    Some(Failure::usage(format!("this is {what}, not text")).at(Origin::whole(name)).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, start: &[u8]) -> String {
        refusal(name, start, false)
            .map_or_else(String::new, |f| format!("{f} | {}", f.hint.clone().unwrap_or_default()))
    }

    #[test]
    fn recognizes_documents_by_their_first_bytes() {
        assert_eq!(
            refused("my r.docx", b"PK\x03\x04\x14\0\x06\0\x08\0 [Content_Types].xml"),
            "my r.docx: this is a Word, PowerPoint or Excel document, not text | \
             `tulk doc translate 'my r.docx'` translates documents"
        );
        assert_eq!(
            refused("stdin", b"%PDF-1.7\n"),
            "stdin: this is a PDF document, not text | `tulk doc translate - --filename NAME` translates documents"
        );
        assert_eq!(
            refused("a.idml", b"PK\x03\x04\x14\0\0\0mimetypeapplication/vnd.adobe.indesign-idml-packagePK\x03\x04"),
            "a.idml: this is an InDesign document, not text | `tulk doc translate a.idml` translates documents"
        );
        assert!(refused("a.zip", b"PK\x03\x04\x14\0 notes.txt").contains("this is a ZIP archive"));
    }

    #[test]
    fn recognizes_archives_with_a_large_first_file_by_extension() {
        for (name, what) in [
            ("a.docx", "a Word, PowerPoint or Excel document"),
            ("a.PPTX", "a Word, PowerPoint or Excel document"),
            ("a.xlsx", "a Word, PowerPoint or Excel document"),
            ("a.idml", "an InDesign document"),
        ] {
            for start in [b"PK\x03\x04\x14\0\0\0media/film.mp4".as_slice(), b"PK\x03\x04", b"PK\x05\x06"] {
                let hint = format!("`tulk doc translate {name}` translates documents");
                assert_eq!(refused(name, start), format!("{name}: this is {what}, not text | {hint}"));
            }
        }
        assert!(refused("a.txt", b"PK\x03\x04").contains("this is a ZIP archive"));
    }

    #[test]
    fn suggests_filename_for_a_document_with_an_unknown_extension() {
        let hint = "`tulk doc translate report.bin --filename NAME` translates documents";
        assert_eq!(
            refused("report.bin", b"%PDF-1.7"),
            format!("report.bin: this is a PDF document, not text | {hint}")
        );
    }

    #[test]
    fn explains_how_to_convert_other_encodings() {
        let hint = "convert it first: iconv -f UTF-16 -t UTF-8 a.txt";
        assert_eq!(refused("a.txt", b"\xff\xfea\0"), format!("a.txt: this is UTF-16 text, not UTF-8 | {hint}"));
        assert!(refused("stdin", b"\xff\xfe\0\0a\0\0\0").ends_with("iconv -f UTF-32 -t UTF-8"));
    }

    #[test]
    fn text_is_not_refused() {
        for text in ["", "PK", "PDF", "BMW", "Mit", "\u{feff}a", "{}", "RIFF", "ID3 tags", "GIF89", "\0\0"] {
            assert_eq!(refused("a", text.as_bytes()), "", "{text:?}");
        }
        assert!(is_undecided(b"") && is_undecided(b"PK") && is_undecided(b"\xff\xfe"));
        assert!(!is_undecided(b"Hi") && !is_undecided(b"%PDF-1"));
    }
}
