//! Settings that are strings in JSON, in the format of the flags: `"10ms-100ms"`, `"500:0.1;times=2"`.

/// Implements `Deserialize` with `FromStr` and `Serialize` with `Display` for each of these types.
macro_rules! as_text_in_json {
    ($($setting:ty),+) => {$(
        impl serde::Serialize for $setting {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $setting {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

as_text_in_json!(crate::duration::Latency, crate::faults::FaultRule, crate::faults::VoiceFault);
