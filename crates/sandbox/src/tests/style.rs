//! Style rule lists: the exact answers of the routes.

use serde_json::json;

use super::server::{TestServer, answer};

#[tokio::test]
async fn a_new_instruction_is_answered_with_the_list_and_its_own_fields() {
    let server = TestServer::echo().await;
    let body = json!({"name": "Shop", "language": "en"});
    let (_, list) = answer(server.post("/v3/style_rules", &body).send().await.unwrap()).await;
    let path = format!("/v3/style_rules/{}/custom_instructions", list["style_id"].as_str().unwrap());

    let body = json!({"label": "voice", "prompt": "Be brief", "source_language": "de"});
    let (status, first) = answer(server.post(&path, &body).send().await.unwrap()).await;
    let added = json!({"id": first["id"], "label": "voice", "prompt": "Be brief", "source_language": "de"});
    assert_eq!(
        (status, &first),
        (
            201,
            &json!({"style_id": list["style_id"], "name": "Shop", "creation_time": list["creation_time"],
                "updated_time": first["updated_time"], "language": "en", "version": 2, "configured_rules": {},
                "custom_instructions": [added], "id": first["id"], "label": "voice", "prompt": "Be brief",
                "source_language": "de"})
        )
    );

    let (_, second) = answer(server.post(&path, &json!({"label": "l", "prompt": "p"})).send().await.unwrap()).await;
    let (_, shown) =
        answer(server.get(&format!("{path}/{}", second["id"].as_str().unwrap())).send().await.unwrap()).await;
    assert_eq!(shown, json!({"id": second["id"], "label": "l", "prompt": "p"}));
    assert_eq!(second["custom_instructions"], json!([added, shown]));
    assert_eq!(second.get("source_language"), None);
}
