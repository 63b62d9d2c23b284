//! `/v2/admin`: developer keys, and usage reports per key, per reporting tag and per language pair. All of them require an admin
//! key. See docs/service.md, "Administration".

mod developer_keys;
mod reports;

use axum::Router;
use axum::routing::{get, put};

use crate::sessions::Sessions;

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v2/admin/developer-keys", get(developer_keys::list).post(developer_keys::create))
        .route("/v2/admin/developer-keys/deactivate", put(developer_keys::deactivate))
        .route("/v2/admin/developer-keys/label", put(developer_keys::rename))
        .route("/v2/admin/developer-keys/limits", put(developer_keys::set_limits))
        .route("/v2/admin/analytics", get(reports::key_report))
        .route("/v2/admin/analytics/custom-tags", get(reports::tag_report))
        .route("/v2/admin/analytics/language-pairs", get(reports::pair_report))
}
