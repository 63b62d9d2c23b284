//! One test binary for the commands, one module each.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

#[path = "../common/mod.rs"]
mod common;

mod accounts;
mod admin;
mod admin_secrets;
mod answers;
mod api;
mod api_no_auth;
mod api_rules;
mod auth;
mod auth_keys;
mod beta_operations;
mod cache;
mod cached_results;
mod cached_results_keys;
#[cfg(unix)]
mod cached_results_runs;
mod comparison;
mod completion;
mod completion_local;
mod completion_shells;
mod config;
mod csv;
mod csv_runs;
mod directories;
mod doc;
mod doc_content;
mod doc_errors;
mod doc_evaluate;
mod doc_params;
mod doc_recovery;
mod doc_safety;
mod doc_stop;
mod doc_types;
mod doc_watermark;
mod doctor;
mod doctor_network;
mod examples;
mod exit_codes;
mod file_extensions;
mod formats;
mod github;
mod glossary;
mod glossary_files;
mod glossary_spreadsheets;
mod help;
mod hidden_columns;
#[cfg(target_os = "linux")]
mod jq;
mod jsonl;
mod jsonl_runs;
mod langs;
mod langs_detect;
mod large_answers;
mod large_files;
mod man;
mod markdown;
mod mistakes;
mod narrow_tables;
mod network;
mod no_home_directory;
mod official_clients;
mod open_sets;
mod outputs_planted;
mod parallel;
mod plan_rows;
mod printed_commands;
#[cfg(target_os = "linux")]
mod progress;
#[cfg(target_os = "linux")]
mod prompts;
mod protect;
mod protect_loss;
mod public_service;
mod resume_everywhere;
mod resume_inputs;
mod resume_records;
mod sandbox;
mod sandbox_control;
mod sandbox_crash;
mod sandbox_network;
mod sandbox_page;
mod sandbox_world;
mod screens;
mod secrets;
mod sending;
#[cfg(target_os = "linux")]
mod signals;
mod spark;
mod streams;
mod structured;
mod style;
mod style_apply;
mod style_profile;
mod style_profile_use;
mod subtitles;
mod subtitles_ffmpeg;
mod subtitles_runs;
mod sync;
#[cfg(target_os = "linux")]
mod sync_runs;
#[cfg(target_os = "linux")]
mod tables;
mod tm;
mod tm_move;
#[cfg(target_os = "linux")]
mod totals;
mod translate;
mod translate_catalogs;
mod translate_defaults;
mod translate_input;
mod translate_listed;
mod translate_outputs;
mod translate_runs;
#[cfg(target_os = "linux")]
mod typed_text;
mod usage;
mod voice;
mod voice_errors;
mod voice_ffmpeg;
mod voice_messages;
mod voice_network;
mod voice_outputs;
mod voice_terms;
mod voice_terms_files;
mod voice_terms_safety;
mod write;
mod write_formats;
mod write_interactive;
mod wrong_answer_commands;
mod wrong_answer_kinds;
mod wrong_answers;
mod wrong_usage;
mod xargs;
