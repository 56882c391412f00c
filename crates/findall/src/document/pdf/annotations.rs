//! What stands on a page beside its content: the values of form fields, notes written on the page, stamps and signatures,
//! each as its appearance shows it. Notes that only open when clicked are not seen, so they are not read.

use lopdf::{Dictionary, Object, ObjectId};

use super::interpret::{PageInterpreter, Painter};
use super::layout::Matrix;
use crate::document::builder::TextBuilder;
use crate::error::DocumentError;

/// Annotations read on one page.
const MAX_ANNOTATIONS: usize = 10_000;
/// Flags that keep an annotation off the screen: invisible, hidden, not viewed.
const UNSEEN_FLAGS: i64 = 1 | 2 | 32;

impl<'p> PageInterpreter<'p> {
    /// Writes the text of the page's annotations, each as a block of its own.
    pub fn annotations(
        &mut self,
        page: ObjectId,
        resources: &[&'p Dictionary],
        painter: &mut Painter<'p>,
        builder: &mut TextBuilder,
    ) -> Result<(), DocumentError> {
        let pdf = self.pdf;
        let list = pdf.get_dictionary(page).and_then(|page| page.get_deref(b"Annots", pdf));
        let Ok(list) = list.and_then(Object::as_array) else { return Ok(()) };
        for item in list.iter().take(MAX_ANNOTATIONS) {
            let Some(annotation) = pdf.dereference(item).ok().and_then(|(_, item)| item.as_dict().ok())
            else {
                continue;
            };
            if !is_seen(annotation, pdf) {
                continue;
            }
            match appearance(annotation, pdf) {
                Some(form) => {
                    let place = place(annotation, &form.dict, pdf);
                    self.form(form, resources, place, painter, 0, builder)?;
                }
                None => painter.write_aside(&value(annotation, pdf).unwrap_or_default(), builder),
            }
        }
        Ok(())
    }
}

fn is_seen(annotation: &Dictionary, pdf: &lopdf::Document) -> bool {
    let flags = annotation.get_deref(b"F", pdf).and_then(Object::as_i64).unwrap_or(0);
    let kind = annotation.get_deref(b"Subtype", pdf).and_then(Object::as_name).unwrap_or(b"");
    flags & UNSEEN_FLAGS == 0 && kind != b"Popup" && kind != b"Link"
}

/// The normal appearance; one of several when the annotation has states.
fn appearance<'p>(annotation: &'p Dictionary, pdf: &'p lopdf::Document) -> Option<&'p lopdf::Stream> {
    let all = annotation.get_deref(b"AP", pdf).and_then(Object::as_dict).ok()?;
    match all.get_deref(b"N", pdf).ok()? {
        Object::Stream(form) => Some(form),
        Object::Dictionary(states) => {
            let state = annotation.get_deref(b"AS", pdf).and_then(Object::as_name).ok()?;
            states.get_deref(state, pdf).and_then(Object::as_stream).ok()
        }
        _ => None,
    }
}

/// From the appearance's own box to the annotation's place on the page.
fn place(annotation: &Dictionary, form: &Dictionary, pdf: &lopdf::Document) -> Matrix {
    let corner = |holder: &Dictionary, key: &[u8]| {
        let sides = holder.get_deref(key, pdf).and_then(Object::as_array).ok();
        let side = |at: usize| sides.and_then(|sides| sides.get(at)?.as_float().ok()).unwrap_or(0.0);
        (side(0).min(side(2)), side(1).min(side(3)))
    };
    let (there, here) = (corner(annotation, b"Rect"), corner(form, b"BBox"));
    Matrix([1.0, 0.0, 0.0, 1.0, there.0 - here.0, there.1 - here.1])
}

/// The value of a text field that has no appearance yet, or the words of a note on the page.
fn value(annotation: &Dictionary, pdf: &lopdf::Document) -> Option<String> {
    let kind = annotation.get_deref(b"Subtype", pdf).and_then(Object::as_name).ok()?;
    let key: &[u8] = match kind {
        b"Widget" => b"V",
        b"FreeText" => b"Contents",
        _ => return None,
    };
    let text @ Object::String(..) = annotation.get_deref(key, pdf).ok()? else { return None };
    lopdf::decode_text_string(text).ok()
}
