// Stub of the crate of this name: prints the calls of samples, values in hexadecimal.
#[allow(dead_code)]
mod reqwest {
    pub fn say(name: &str, value: &[u8]) {
        let hex: String = value.iter().map(|each| format!("{each:02x}")).collect();
        println!("{name} {hex}");
    }
    pub struct Method;
    pub struct Client;
    pub struct Builder;
    pub struct Response;
    type Outcome<T> = Result<T, Box<dyn std::error::Error>>;
    impl Client {
        pub fn new() -> Client {
            Client
        }
        pub fn get(self, url: &str) -> Builder {
            Builder::start("GET", url)
        }
        pub fn post(self, url: &str) -> Builder {
            Builder::start("POST", url)
        }
    }
    pub trait Bytes {
        fn bytes(&self) -> Vec<u8>;
    }
    impl Bytes for &str {
        fn bytes(&self) -> Vec<u8> {
            self.as_bytes().to_vec()
        }
    }
    impl Bytes for Vec<u8> {
        fn bytes(&self) -> Vec<u8> {
            self.clone()
        }
    }
    impl Builder {
        fn start(method: &str, url: &str) -> Builder {
            say("method", method.as_bytes());
            say("url", url.as_bytes());
            Builder
        }
        pub fn header(self, name: &str, value: &str) -> Builder {
            say("header", format!("{name}: {value}").as_bytes());
            self
        }
        pub fn body(self, body: impl Bytes) -> Builder {
            say("body", &body.bytes());
            self
        }
        pub fn multipart(self, _form: multipart::Form) -> Builder {
            self
        }
        pub async fn send(self) -> Outcome<Response> {
            Ok(Response)
        }
    }
    impl Response {
        pub async fn text(self) -> Outcome<String> {
            Ok(String::new())
        }
    }
    pub mod multipart {
        pub struct Form;
        pub struct Part {
            kind: &'static str,
            value: String,
            mime: String,
        }
        impl Part {
            pub fn text(value: &str) -> Part {
                Part { kind: "part", value: value.to_string(), mime: String::new() }
            }
            pub async fn file(path: &str) -> Result<Part, std::io::Error> {
                Ok(Part { kind: "file", value: path.to_string(), mime: String::new() })
            }
            pub fn mime_str(mut self, mime: &str) -> Result<Part, std::io::Error> {
                self.mime = mime.to_string();
                Ok(self)
            }
        }
        impl Form {
            pub fn part(self, name: &str, part: Part) -> Form {
                super::say("name", name.as_bytes());
                super::say(part.kind, part.value.as_bytes());
                super::say("type", part.mime.as_bytes());
                self
            }
            pub fn new() -> Form {
                Form
            }
            pub fn text(self, name: &str, value: &str) -> Form {
                super::say("name", name.as_bytes());
                super::say("part", value.as_bytes());
                self
            }
            pub async fn file(self, name: &str, path: &str) -> Result<Form, std::io::Error> {
                super::say("name", name.as_bytes());
                super::say("file", path.as_bytes());
                Ok(self)
            }
        }
    }
}
fn main() {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let mut sample = std::pin::pin!(sample());
    assert!(std::future::Future::poll(sample.as_mut(), &mut context).is_ready());
}
