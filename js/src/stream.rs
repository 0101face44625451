//! A document that comes in chunks.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use abslink_html::{Context, Rewriter};
use self_cell::self_cell;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::options::Options;

/// What the rewriter reads from; it lives as long as the stream.
struct Given {
    options: Rc<Options>,
    context: Context,
}

/// The rewriter, until it has ended.
struct Writer<'g>(Option<Rewriter<'g, Out>>);

self_cell!(
    struct Running {
        owner: Given,
        #[not_covariant]
        dependent: Writer,
    }
);

/// What is written and was not taken yet.
#[derive(Clone, Default)]
struct Out(Rc<RefCell<Vec<u8>>>);

impl io::Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A document that comes in chunks, and goes out in chunks.
#[wasm_bindgen]
pub struct Stream {
    running: Running,
    out: Out,
}

#[wasm_bindgen]
impl Stream {
    /// A document of which nothing has come yet.
    ///
    /// # Errors
    /// As `rewrite`, and `usage` if documents of this kind cannot be read in chunks.
    #[wasm_bindgen(constructor)]
    pub fn new(base: &str, options: &str) -> Result<Stream, JsValue> {
        let options = Options::of(options)?;
        let Some(syntax) = options.syntax() else {
            let message = "a stream reads html or xhtml; rewriteBytes takes every kind of document";
            return Err(Failure::usage(message).into());
        };
        let context = options.context(Some(base))?;
        let out = Out::default();
        let running = Running::new(Given { options, context }, |given| {
            let settings = &given.options.settings;
            Writer(Some(Rewriter::new(
                syntax,
                &given.context,
                settings,
                out.clone(),
            )))
        });
        Ok(Stream { running, out })
    }

    /// Takes the next chunk; gives as much of the new document as is sure.
    ///
    /// # Errors
    /// `late`, `outgrown` and `encoding`.
    pub fn write(&mut self, chunk: &[u8]) -> Result<Vec<u8>, JsValue> {
        let written = self
            .running
            .with_dependent_mut(|_, writer| match &mut writer.0 {
                Some(rewriter) => rewriter.write(chunk),
                None => Ok(()),
            });
        written.map_err(Failure::from)?;
        Ok(self.out.0.take())
    }

    /// Ends the document; gives the rest of the new one.
    ///
    /// # Errors
    /// As `write`.
    pub fn end(&mut self) -> Result<Vec<u8>, JsValue> {
        let rewriter = self
            .running
            .with_dependent_mut(|_, writer| writer.0.take().map(Rewriter::end));
        if let Some(ended) = rewriter {
            let examined = ended.map_err(Failure::from)?.examined.into();
            Failure::of(&examined)?;
        }
        Ok(self.out.0.take())
    }
}
