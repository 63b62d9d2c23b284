//! stub
/// key
#[derive(Clone)]
pub struct ApiKey(String);
impl ApiKey {
    /// x
    pub fn expose(&self) -> &str {
        &self.0
    }
}
