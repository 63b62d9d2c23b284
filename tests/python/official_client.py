"""Calls every function of the public service's official Python client against a running sandbox.

Usage: official_client.py ADDRESS LIMITED

The sandbox at ADDRESS must run with `--engine upper`, `--memory-job-polls 0`, no document delays, and `--memories` with one
memory; the one at LIMITED also with `--character-limit 20` and `--document-limit 1`. Prints each check that fails, and exits
with 1 if any did. tests/cli/official_clients.rs runs it, and contains the memory.
"""

import datetime
import io
import os
import subprocess
import sys
import tempfile
import traceback

import deepl
from deepl.api_data import MultilingualGlossaryDictionaryEntries, WritingStyle, WritingTone

# No retries: every failure is visible.
deepl.http_client.max_network_retries = 0

MEMORY = "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b"
ADDRESS, LIMITED = sys.argv[1:]
CLIENT = deepl.DeepLClient("sandbox", server_url=ADDRESS)
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"got {actual!r}, expected {expected!r}")


def refused(expected_type, part, call):
    try:
        result = call()
    except deepl.DeepLException as error:
        if type(error) is not expected_type or part not in str(error):
            raise AssertionError(f"{type(error).__name__}: {error}; expected {expected_type.__name__} with {part!r}")
        return
    raise AssertionError(f"was accepted: {result!r}")


def faulty(fault, session="faults"):
    """Returns a client whose requests fail."""
    client = deepl.DeepLClient("sandbox", server_url=ADDRESS)
    client.headers.update({"X-Tulk-Sandbox-Fault": fault, "X-Tulk-Sandbox-Session": session})
    return client


def recent(time):
    now = datetime.datetime.now(datetime.timezone.utc)
    equal(time.tzinfo is not None and abs((now - time).total_seconds()) < 60, True)


def named(name, content):
    """Returns a file in memory. The client takes the name from the file, not from its own parameter."""
    file = io.BytesIO(content)
    file.name = name
    return file


# Text


@check
def text():
    result = CLIENT.translate_text("The kettle is on.", target_lang="DE")
    equal((result.text, result.detected_source_lang), ("THE KETTLE IS ON.", "EN"))
    equal((result.billed_characters, result.model_type_used), (17, None))


@check
def texts_in_order():
    results = CLIENT.translate_text(["one", "two", "Drei ist nicht das Wort"], target_lang=deepl.Language.FRENCH)
    equal([result.text for result in results], ["ONE", "TWO", "DREI IST NICHT DAS WORT"])
    equal(results[2].detected_source_lang, "DE")


@check
def text_with_options():
    result = CLIENT.translate_text(
        "<p>tea <x>kept</x></p>",
        source_lang="EN",
        target_lang="DE",
        context="About a kitchen.",
        split_sentences=deepl.SplitSentences.NO_NEWLINES,
        preserve_formatting=True,
        formality=deepl.Formality.MORE,
        tag_handling="xml",
        tag_handling_version="v2",
        outline_detection=False,
        non_splitting_tags=["b", "i"],
        splitting_tags="p,q",
        ignore_tags=["x"],
        model_type=deepl.ModelType.QUALITY_OPTIMIZED,
        custom_instructions=["Use short sentences."],
        extra_body_parameters={"enable_beta_languages": True},
    )
    equal((result.text, result.detected_source_lang), ("<p>TEA <x>kept</x></p>", "EN"))
    equal((result.billed_characters, result.model_type_used), (8, "quality_optimized"))


@check
def outline_detection_alone():
    options = {"tag_handling": "xml", "outline_detection": False}
    equal(CLIENT.translate_text("<p>tea</p>", target_lang="DE", **options).text, "<p>TEA</p>")


@check
def split_sentences_of_every_kind():
    for value in list(deepl.SplitSentences) + ["0", "1"]:
        equal(CLIENT.translate_text("tea", target_lang="DE", split_sentences=value).text, "TEA")


@check
def html():
    result = CLIENT.translate_text('tea<br>&amp; <i translate="no">cup</i>', target_lang="DE", tag_handling="html")
    equal(result.text, 'TEA<br>&amp; <i translate="no">cup</i>')


@check
def models():
    for model, used in [
        (deepl.ModelType.LATENCY_OPTIMIZED, "latency_optimized"),
        (deepl.ModelType.PREFER_QUALITY_OPTIMIZED, "quality_optimized"),
    ]:
        result = CLIENT.translate_text("tea", source_lang="EN", target_lang="DE", model_type=model)
        equal(result.model_type_used, used)


@check
def refused_formality_has_the_message_of_the_service():
    refused(
        deepl.DeepLException,
        "Target language does not support 'formality'.",
        lambda: CLIENT.translate_text("tea", target_lang="EN-US", formality="more"),
    )
    equal(CLIENT.translate_text("tea", target_lang="EN-US", formality="prefer_more").text, "TEA")


@check
def wrong_requests():
    refused(deepl.DeepLException, "target_lang", lambda: CLIENT.translate_text("tea", target_lang="XX"))
    stranger = deepl.DeepLClient("stranger", server_url=ADDRESS)
    refused(deepl.AuthorizationException, "not known", lambda: stranger.get_usage())
    unknown = "11111111-2222-4333-8444-555555555555"
    refused(deepl.GlossaryNotFoundException, "Glossary not found", lambda: CLIENT.get_multilingual_glossary(unknown))
    refused(deepl.GlossaryNotFoundException, "Glossary not found", lambda: CLIENT.get_glossary(unknown))
    refused(deepl.DeepLException, "not found", lambda: CLIENT.get_style_rule(unknown))


@check
def texts_from_a_generator():
    results = CLIENT.translate_text((text for text in ["one", "two"]), source_lang="en", target_lang="pt-br")
    equal([(each.text, each.detected_source_lang) for each in results], [("ONE", "EN"), ("TWO", "EN")])


@check
def languages_as_listed():
    source = next(each for each in CLIENT.get_source_languages() if each.code == "EN")
    target = next(each for each in CLIENT.get_target_languages() if each.code == "DE")
    equal(CLIENT.translate_text("tea", source_lang=source, target_lang=target).text, "TEA")


@check
def options_that_are_refused():
    translate = CLIENT.translate_text
    for options in [
        {"split_sentences": "x"},
        {"formality": "x"},
        {"tag_handling": "x"},
        {"tag_handling_version": "v9", "tag_handling": "xml"},
        {"model_type": "x"},
    ]:
        name = next(iter(options))
        message = f"Bad request, message: Value for '{name}' not supported."
        refused(deepl.DeepLException, message, lambda: translate("tea", target_lang="DE", **options))
    refused(deepl.DeepLException, "source_lang", lambda: translate("tea", source_lang="XX", target_lang="DE"))
    refused(deepl.DeepLException, "custom_instructions", lambda: translate("tea", target_lang="PL", custom_instructions=["x"]))
    too_many = ["x"] * 51
    refused(deepl.DeepLException, "Too many texts", lambda: translate(too_many, target_lang="DE"))
    broken = {"tag_handling": "xml", "tag_handling_version": "v2"}
    refused(deepl.DeepLException, "Tag handling parsing failed", lambda: translate("<a>", target_lang="DE", **broken))


@check
def unsuitable_glossary():
    glossary = CLIENT.create_multilingual_glossary("One", [MultilingualGlossaryDictionaryEntries("EN", "DE", {"a": "b"})])
    identity = glossary.glossary_id
    refused(
        deepl.DeepLException,
        "No dictionary found",
        lambda: CLIENT.translate_text("a", source_lang="EN", target_lang="FR", glossary=identity),
    )
    CLIENT.delete_multilingual_glossary(identity)
    refused(
        deepl.DeepLException,
        "lossary",
        lambda: CLIENT.translate_text("a", source_lang="EN", target_lang="DE", glossary=identity),
    )


# Faults


@check
def failures_have_their_types():
    for fault, expected, part in [
        ("429", deepl.TooManyRequestsException, "Too many requests"),
        ("456", deepl.QuotaExceededException, "Quota for this billing period has been exceeded"),
        ("403", deepl.AuthorizationException, "Authorization failure"),
        ("503", deepl.DeepLException, "Service unavailable"),
        ("529", deepl.DeepLException, "529"),
        ("drop", deepl.exceptions.ConnectionException, ""),
    ]:
        refused(expected, part, faulty(fault).get_usage)


@check
def failures_are_repeated():
    deepl.http_client.max_network_retries = 1
    try:
        equal(faulty("503;times=1", "again").translate_text("tea", target_lang="DE").text, "TEA")
    finally:
        deepl.http_client.max_network_retries = 0


@check
def document_whose_translation_fails():
    with_fault = faulty("document-error;name=bad*;message=The file is broken.")
    try:
        with_fault.translate_document(named("bad.txt", b"tea"), io.BytesIO(), target_lang="DE")
    except deepl.DocumentTranslationException as error:
        handle = error.document_handle
        equal((len(handle.document_id), len(handle.document_key), "The file is broken." in str(error)), (32, 64, True))
    else:
        raise AssertionError("was translated")
    equal(with_fault.translate_document(named("good.txt", b"tea"), io.BytesIO(), target_lang="DE").done, True)


@check
def no_answer():
    timeout, deepl.http_client.min_connection_timeout = deepl.http_client.min_connection_timeout, 0.5
    try:
        refused(deepl.exceptions.ConnectionException, "", faulty("never").get_usage)
        deepl.http_client.max_network_retries = 1
        equal(faulty("never;times=1", "patient").get_usage().character.valid, True)
    finally:
        deepl.http_client.min_connection_timeout = timeout
        deepl.http_client.max_network_retries = 0


# Writing


@check
def rephrase():
    result = CLIENT.rephrase_text("this is tea", target_lang="EN-US")
    equal((result.text, result.detected_source_language, result.target_language), ("THIS IS TEA", "en", "en-US"))
    for style in WritingStyle:
        CLIENT.rephrase_text("tea", target_lang="EN-GB", style=style.value)
    for tone in WritingTone:
        CLIENT.rephrase_text("tea", target_lang="EN-GB", tone=tone.value)
    results = CLIENT.rephrase_text(["this is tea", "and that is a cup"])
    equal([result.text for result in results], ["THIS IS TEA", "AND THAT IS A CUP"])


@check
def rephrase_that_is_refused():
    rephrase = CLIENT.rephrase_text
    refused(deepl.DeepLException, "'target_lang' not supported", lambda: rephrase("a", target_lang="LV"))
    for option, words in [({"style": "business"}, "a writing style"), ({"tone": "confident"}, "a tone")]:
        message = f"Language ja does not support setting {words}"
        refused(deepl.DeepLException, message, lambda: rephrase("a", target_lang="JA", **option))
    both = {"style": "business", "tone": "confident"}
    refused(deepl.DeepLException, "Both writing_style and tone", lambda: rephrase("a", target_lang="DE", **both))


@check
def correct():
    result = CLIENT.correct_text("this is tea", target_lang="EN-US")
    equal((result.text, result.detected_source_language, result.target_language), ("THIS IS TEA", "en", "en-US"))


# Documents


@check
def document():
    out = io.BytesIO()
    status = CLIENT.translate_document(named("tea.txt", b"The kettle is on.\n"), out, target_lang="DE", formality="more")
    equal(out.getvalue(), b"THE KETTLE IS ON.\n")
    equal((status.done, status.ok, status.status.value), (True, True, "done"))
    equal((status.billed_characters, status.error_message), (18, None))


@check
def document_in_steps():
    handle = CLIENT.translate_document_upload(
        "<p>tea &amp; cup</p>", source_lang="EN", target_lang="DE", filename="tea.html"
    )
    status = CLIENT.translate_document_get_status(handle)
    equal((status.status.value, status.seconds_remaining), ("done", None))
    response = CLIENT.translate_document_download(handle)
    equal(b"".join(response.iter_content(100)), b"<p>TEA &amp; CUP</p>")
    refused(deepl.DeepLException, "not found", lambda: CLIENT.translate_document_get_status(handle))


@check
def document_by_path():
    with tempfile.TemporaryDirectory() as directory:
        source, result = os.path.join(directory, "in.txt"), os.path.join(directory, "out.txt")
        with open(source, "w", encoding="utf-8") as file:
            file.write("The kettle is on.")
        CLIENT.translate_document_from_filepath(source, result, target_lang="FR", source_lang="EN")
        with open(result, encoding="utf-8") as file:
            equal(file.read(), "THE KETTLE IS ON.")


@check
def document_that_fails():
    handle = CLIENT.translate_document_upload(b"", source_lang="EN", target_lang="DE", filename="tea.txt")
    status = CLIENT.translate_document_get_status(handle)
    equal((status.ok, status.error_message), (False, "The file is empty."))


@check
def document_not_ready_wrong_and_unknown():
    text = io.BytesIO(b"tea")
    upload = CLIENT.translate_document_upload
    refused(deepl.DeepLException, "Invalid file data", lambda: upload(text, target_lang="DE", filename="a.invalid"))
    as_docx = {"filename": "a.txt", "output_format": "docx"}
    refused(deepl.DeepLException, "output_format", lambda: upload("tea", target_lang="DE", **as_docx))
    refused(deepl.DeepLException, "formality", lambda: upload("tea", target_lang="DE", filename="a.txt", formality="x"))
    unknown = deepl.DocumentHandle("0" * 32, "0" * 64)
    refused(deepl.DeepLException, "Not found", lambda: CLIENT.translate_document_get_status(unknown))
    same = lambda: CLIENT.translate_document(named("a.txt", b"Das ist nicht der Tee"), io.BytesIO(), target_lang="DE")
    refused(deepl.DocumentTranslationException, "Source and target language", same)


@check
def document_with_every_option():
    rule = CLIENT.create_style_rule("Documents", "en")
    handle = CLIENT.translate_document_upload(
        b"Guten Tag",
        filename="a.txt",
        source_lang="DE",
        target_lang="EN-GB",
        formality="prefer_less",
        style_rule=rule,
        translation_memory=MEMORY,
        translation_memory_threshold=80,
        extra_body_parameters={"enable_watermark": "1"},
    )
    equal(CLIENT.translate_document_wait_until_done(handle, timeout_s=30).done, True)
    out = io.BytesIO()
    CLIENT.translate_document_download(handle, out)
    CLIENT.delete_style_rule(rule)
    equal(out.getvalue().lower() in (b"guten tag", b"good day"), True)


# Glossaries


@check
def glossary_v2():
    glossary = CLIENT.create_glossary("Kitchen", "EN", "DE", {"kettle": "Kessel", "cup": "Tasse"})
    equal((glossary.name, glossary.ready, glossary.entry_count), ("Kitchen", True, 2))
    equal((glossary.source_lang, glossary.target_lang), ("EN", "DE"))
    recent(glossary.creation_time)
    equal(CLIENT.get_glossary(glossary.glossary_id).name, "Kitchen")
    equal([each.glossary_id for each in CLIENT.list_glossaries()], [glossary.glossary_id])
    equal(CLIENT.get_glossary_entries(glossary), {"kettle": "Kessel", "cup": "Tasse"})
    equal(CLIENT.translate_text_with_glossary("a kettle", glossary).text, "A Kessel")
    result = CLIENT.translate_text("a cup", source_lang="EN", target_lang="DE", glossary=glossary.glossary_id)
    equal(result.text, "A Tasse")
    out = io.BytesIO()
    CLIENT.translate_document(
        named("a.txt", b"a kettle"), out, source_lang="EN", target_lang="DE", glossary=glossary
    )
    equal(out.getvalue(), b"A Kessel")
    CLIENT.delete_glossary(glossary)
    equal(CLIENT.list_glossaries(), [])
    csv = CLIENT.create_glossary_from_csv("Csv", "EN", "DE", 'kettle,"Kessel, gross",EN,DE\ncup,Tasse,EN,DE\n')
    equal(CLIENT.get_glossary_entries(csv.glossary_id), {"kettle": "Kessel, gross", "cup": "Tasse"})
    CLIENT.delete_glossary(csv.glossary_id)


@check
def glossary_language_pairs():
    pairs = [(pair.source_lang, pair.target_lang) for pair in CLIENT.get_glossary_languages()]
    equal((("en", "de") in pairs, ("de", "de") in pairs), (True, False))


@check
def glossary_v3():
    dictionary = MultilingualGlossaryDictionaryEntries
    glossary = CLIENT.create_multilingual_glossary(
        "Kitchen", [dictionary("EN", "DE", {"kettle": "Kessel"}), dictionary("EN", "FR", {"kettle": "bouilloire"})]
    )
    equal(glossary.name, "Kitchen")
    pairs = [(each.source_lang, each.target_lang, each.entry_count) for each in glossary.dictionaries]
    equal(sorted(pairs), [("EN", "DE", 1), ("EN", "FR", 1)])
    recent(glossary.creation_time)
    equal([each.glossary_id for each in CLIENT.list_multilingual_glossaries()], [glossary.glossary_id])

    def entries(target):
        found = CLIENT.get_multilingual_glossary_entries(glossary, "EN", target).dictionaries
        return [(each.source_lang.upper(), each.target_lang.upper(), each.entries) for each in found]

    equal(entries("FR"), [("EN", "FR", "kettle\tbouilloire")])
    renamed = CLIENT.update_multilingual_glossary_name(glossary, "Tea kitchen")
    equal(renamed.name, "Tea kitchen")
    CLIENT.update_multilingual_glossary_dictionary(glossary, dictionary("EN", "DE", {"cup": "Tasse"}))
    equal(sorted(entries("DE")[0][2].splitlines()), ["cup\tTasse", "kettle\tKessel"])
    replaced = CLIENT.replace_multilingual_glossary_dictionary(glossary, dictionary("EN", "DE", {"pot": "Topf"}))
    equal((replaced.source_lang, replaced.target_lang, replaced.entry_count), ("EN", "DE", 1))
    equal(entries("DE")[0][2], "pot\tTopf")
    CLIENT.update_multilingual_glossary_dictionary_from_csv(glossary, "EN", "ES", "pot,olla\n")
    CLIENT.replace_multilingual_glossary_dictionary_from_csv(glossary, "EN", "ES", "pot,la olla\n")
    equal(entries("ES")[0][2], "pot\tla olla")
    fresh = CLIENT.get_multilingual_glossary(glossary.glossary_id)
    result = CLIENT.translate_text("a pot", source_lang="EN", target_lang="DE", glossary=fresh)
    equal(result.text, "A Topf")
    result = CLIENT.translate_text("a pot", source_lang="EN", target_lang="DE", glossary_ids=[fresh])
    equal(result.text, "A Topf")
    CLIENT.delete_multilingual_glossary_dictionary(glossary, source_lang="EN", target_lang="ES")
    CLIENT.delete_multilingual_glossary_dictionary(fresh, dictionary=fresh.dictionaries[0])
    equal(len(CLIENT.get_multilingual_glossary(glossary.glossary_id).dictionaries), 1)
    CLIENT.delete_multilingual_glossary(glossary)
    csv = CLIENT.create_multilingual_glossary_from_csv("Csv", "EN", "DE", "kettle,Kessel\n")
    equal(csv.dictionaries[0].entry_count, 1)
    CLIENT.delete_multilingual_glossary(csv.glossary_id)
    equal(CLIENT.list_multilingual_glossaries(), [])


# Style rules


@check
def style_rules():
    rules = {"dates_and_times": {"calendar_era": "use_bc_and_ad"}}
    instruction = {"label": "Tone", "prompt": "Write politely."}
    rule = CLIENT.create_style_rule("House", "en", configured_rules=rules, custom_instructions=[instruction])
    equal((rule.name, rule.language, rule.version), ("House", "en", 1))
    equal(rule.configured_rules.dates_and_times, {"calendar_era": "use_bc_and_ad"})
    equal([(each.label, each.prompt) for each in rule.custom_instructions], [("Tone", "Write politely.")])
    recent(rule.creation_time)
    recent(rule.updated_time)
    listed = CLIENT.get_all_style_rules(page=0, page_size=25, detailed=True)
    equal([(each.style_id, len(each.custom_instructions)) for each in listed], [(rule.style_id, 1)])
    equal([each.style_id for each in CLIENT.get_all_style_rules()], [rule.style_id])
    equal(CLIENT.get_style_rule(rule).name, "House")
    equal(CLIENT.update_style_rule_name(rule, "House style").name, "House style")
    changed = CLIENT.update_style_rule_configured_rules(rule, {"punctuation": {"periods_in_academic_degrees": "do_not_use"}})
    equal(changed.configured_rules.punctuation, {"periods_in_academic_degrees": "do_not_use"})
    added = CLIENT.create_style_rule_custom_instruction(rule, "Cups", "Say cup, not mug.", source_language="de")
    equal((added.label, added.prompt, added.source_language), ("Cups", "Say cup, not mug.", "de"))
    found = CLIENT.get_style_rule_custom_instruction(rule, added.id)
    equal((found.label, found.prompt, found.source_language), ("Cups", "Say cup, not mug.", "de"))
    edited = CLIENT.update_style_rule_custom_instruction(rule, added.id, "Cups", "Say mug.")
    equal((edited.label, edited.prompt), ("Cups", "Say mug."))
    equal(CLIENT.translate_text("tea", target_lang="EN-GB", style_rule=rule).text, "TEA")
    CLIENT.delete_style_rule_custom_instruction(rule, added.id)
    equal([each.label for each in CLIENT.get_style_rule(rule).custom_instructions], ["Tone"])
    CLIENT.delete_style_rule(rule)
    equal(CLIENT.get_all_style_rules(), [])


# Translation memories


@check
def translation_memories():
    memories = CLIENT.list_translation_memories(page=0, page_size=25)
    equal([(each.translation_memory_id, each.name) for each in memories], [(MEMORY, "Manuals")])
    equal((memories[0].source_language, memories[0].target_languages, memories[0].segment_count), ("de", ["en"], 1))
    result = CLIENT.translate_text(
        "Guten Tag",
        source_lang="DE",
        target_lang="EN-GB",
        translation_memory=memories[0],
        translation_memory_threshold=90,
    )
    equal(result.text, "Good day")


TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="de-DE" datatype="plaintext"/><body>
<tu><tuv xml:lang="de-DE"><seg>Ventil <hi>schließen</hi>.</seg></tuv>
<tuv xml:lang="en-GB"><seg>Close the valve.</seg></tuv><tuv xml:lang="fr"><seg>Fermer la vanne.</seg></tuv></tu>
<tu><tuv xml:lang="de-DE"><seg>Öl &amp; Wasser</seg></tuv><tuv xml:lang="en-GB"><seg>Oil &amp; water</seg></tuv></tu>
<tu><tuv xml:lang="de-DE"><seg>Ohne Ziel</seg></tuv></tu>
</body></tmx>
"""


def in_session(name):
    """Returns a client with its own memories."""
    client = deepl.DeepLClient("sandbox", server_url=ADDRESS)
    client.headers.update({"X-Tulk-Sandbox-Session": name})
    return client


@check
def translation_memory_from_file_to_file():
    client = in_session("memory files")
    with tempfile.TemporaryDirectory() as directory:
        source, result = os.path.join(directory, "pumps.tmx"), os.path.join(directory, "out.tmx")
        with open(source, "w", encoding="utf-8") as file:
            file.write(TMX)
        job = client.import_translation_memory_from_filepath(source, display_name="Pumps", timeout_s=30)
        equal((job.ok, job.operation, job.product, job.display_name), (True, "import", "translation_memory", "Pumps"))
        equal((job.source_content_type, job.source_content_length), ("application/xml", len(TMX.encode())))
        equal(job.result.skipped_segment_count, 1)
        memory = client.get_translation_memory(job.result.translation_memory_id)
        equal((memory.name, memory.source_language, memory.target_languages), ("Pumps", "de", ["en-gb", "fr"]))
        equal((memory.segment_count, memory.creation_time == memory.updated_time), (2, True))
        recent(memory.creation_time)
        options = {"translation_memory": memory, "source_lang": "DE", "target_lang": "FR"}
        equal(client.translate_text("Ventil schließen.", **options).text, "Fermer la vanne.")
        exported = client.export_translation_memory_to_filepath(memory, result, timeout_s=30)
        equal((exported.ok, exported.operation), (True, "export"))
        equal(exported.translation_memory_id, memory.translation_memory_id)
        again = client.import_translation_memory_from_filepath(result, timeout_s=30)
        copy = client.get_translation_memory(again.result.translation_memory_id)
        equal((copy.name, copy.segment_count, again.result.skipped_segment_count), ("out.tmx", 2, 0))
        both = [memory.translation_memory_id, copy.translation_memory_id]
        equal([each.translation_memory_id for each in client.list_translation_memories()], [MEMORY, *both])
        for each in [memory, copy.translation_memory_id, MEMORY]:
            client.delete_translation_memory(each)
        equal(client.list_translation_memories(), [])


@check
def translation_memory_in_steps():
    client = in_session("memory steps")
    file = TMX.encode()
    created = client.create_translation_memory_import("pumps.tmx", len(file), content_type="text/xml", display_name="")
    expires = created.expires_at - datetime.datetime.now(datetime.timezone.utc)
    equal(3500 < expires.total_seconds() <= 3600, True)
    job = client.get_translation_memory_job(created.job_id)
    equal((job.status, job.done), ("awaiting_input", False))
    equal("upload" in job.result.required_action.lower(), True)
    upload = client.upload_translation_memory_file
    refused(deepl.DeepLException, "HTTP status: 400", lambda: upload(created, file + b" ", content_type="text/xml"))
    refused(deepl.DeepLException, "HTTP status: 403", lambda: upload(created, file))
    upload(created.upload_url, io.BytesIO(file), content_type="text/xml")
    job = client.wait_until_translation_memory_job_done(job, timeout_s=30)
    memory = client.get_translation_memory(job.result.translation_memory_id)
    equal(memory.name, "")
    export = client.create_translation_memory_export(memory)
    equal((export.translation_memory_id, export.reused_existing), (memory.translation_memory_id, False))
    again = client.create_translation_memory_export(memory.translation_memory_id)
    equal((again.job_id, again.reused_existing), (export.job_id, True))
    job = client.wait_until_translation_memory_job_done(export.job_id)
    recent(job.updated_time)
    content = b"".join(client.download_translation_memory_export(job).iter_content(1000))
    out = io.BytesIO()
    client.download_translation_memory_export(job, out)
    equal((content, b"<seg>Close the valve.</seg>" in content), (out.getvalue(), True))


@check
def translation_memory_segments():
    client = in_session("memory segments")
    units = "".join(
        f'<tu><tuv xml:lang="de"><seg>Satz {n}</seg></tuv><tuv xml:lang="en"><seg>Sentence {n}</seg></tuv></tu>'
        for n in range(7)
    )
    file = f'<tmx version="1.4"><header srclang="de"/><body>{units}</body></tmx>'.encode()
    created = client.create_translation_memory_import("seven.tmx", len(file))
    client.upload_translation_memory_file(created, file)
    memory = client.wait_until_translation_memory_job_done(created.job_id).result.translation_memory_id
    client.translate_text("Satz 3", source_lang="DE", target_lang="EN-GB", translation_memory=memory)
    pages, cursor = [], None
    while not pages or cursor:
        page = client.list_translation_memory_segments(memory, page_size=3, page_cursor=cursor)
        cursor = page.next_page_cursor
        pages.append(page)
    equal([[each.source_text for each in page] for page in pages][2], ["Satz 6"])
    equal(([len(page) for page in pages], pages[0].segment_count), ([3, 3, 1], 7))
    segments = [segment for page in pages for segment in page]
    equal([str(target) for target in segments[3].targets], ["en: Sentence 3"])
    used = [(segment.last_used_time, segment.targets[0].last_used_time) for segment in segments]
    recent(used[3][0])
    equal(([each for each in used if each != (None, None)], used[3][0]), ([used[3]], used[3][1]))
    find = client.list_translation_memory_segments
    equal([each.source_text for each in find(memory, filter_text="sentence 5")], ["Satz 5"])
    equal(len(find(memory, filter_text="sentence", filter_case_sensitive=True)), 0)
    equal(len(find(memory, filter_text="e 6", filter_case_sensitive=False)), 1)
    refused(deepl.DeepLException, "filter_text", lambda: find(memory, filter_text="x"))
    other = pages[0].next_page_cursor
    refused(deepl.DeepLException, "page_cursor", lambda: find(memory, page_cursor=other, filter_text="Satz"))


@check
def translation_memories_that_are_refused():
    client = in_session("memory refusals")
    unknown = "11111111-2222-4333-8444-555555555555"
    for call in [
        client.get_translation_memory,
        client.delete_translation_memory,
        client.list_translation_memory_segments,
        client.create_translation_memory_export,
        client.get_translation_memory_job,
    ]:
        refused(deepl.DeepLException, "not found", lambda: call(unknown))
    create = client.create_translation_memory_import
    refused(deepl.DeepLException, "source_file.content_length", lambda: create("a.tmx", 2_000_000_000))
    created = create("a.tmx", 4)
    client.upload_translation_memory_file(created, b"<a/>")
    job = client.wait_until_translation_memory_job_done(created.job_id)
    equal((job.status, job.ok), ("failed", False))
    equal(job.result.error_message, "The file is not TMX: its root element is 'a'.")
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, "a.tmx")
        with open(source, "w", encoding="utf-8") as file:
            file.write("tea")
        importing = client.import_translation_memory_from_filepath
        refused(deepl.DeepLException, "Error occurred while importing translation memory", lambda: importing(source))


# Account and languages


@check
def usage():
    before = CLIENT.get_usage()
    equal((before.character.valid, before.any_limit_reached), (True, False))
    CLIENT.translate_text("12345", source_lang="EN", target_lang="DE")
    equal(CLIENT.get_usage().character.count - before.character.count, 5)


@check
def limits():
    client = deepl.DeepLClient("sandbox", server_url=LIMITED)
    usage = client.get_usage()
    equal((usage.character.limit, usage.document.limit, usage.document.count), (20, 1, 0))
    equal((usage.any_limit_reached, "Characters: 0 of 20" in str(usage), "Documents: 0 of 1" in str(usage)), (False, True, True))
    client.translate_document(named("a.txt", b"a" * 20), io.BytesIO(), source_lang="EN", target_lang="DE")
    usage = client.get_usage()
    equal((usage.any_limit_reached, usage.character.limit_reached, usage.document.limit_reached), (True, True, True))
    quota = (deepl.QuotaExceededException, "Quota for this billing period has been exceeded")
    refused(*quota, lambda: client.translate_text("tea", target_lang="DE"))
    refused(*quota, lambda: client.translate_document_upload("tea", target_lang="DE", filename="a.txt"))


# The command of the package


def command(*arguments, stdin=""):
    environment = dict(os.environ, DEEPL_SERVER_URL=ADDRESS, DEEPL_AUTH_KEY="sandbox")
    call = [sys.executable, "-m", "deepl", *arguments]
    run = subprocess.run(call, input=stdin, capture_output=True, text=True, env=environment, check=False)
    equal((run.returncode, run.stderr), (0, ""))
    return run.stdout


@check
def command_for_texts():
    equal(command("text", "--to", "DE", "tea", "--show-detected-source"), "Detected source language: EN\nTEA\n")
    equal(command("text", "--to", "DE", "--formality", "more", "-", stdin="tea"), "TEA\n")
    equal("Usage this billing period" in command("usage"), True)
    equal("DE: German" in command("languages"), True)
    equal("de, en" in command("languages", "--glossary"), True)


@check
def command_for_documents_and_glossaries():
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, "a.txt")
        with open(source, "w", encoding="utf-8") as file:
            file.write("tea")
        command("document", "--to", "DE", source, os.path.join(directory, "out"))
        with open(os.path.join(directory, "out", "a.txt"), encoding="utf-8") as file:
            equal(file.read(), "TEA")
    created = command("glossary", "create", "--name", "Command", "--from", "DE", "--to", "EN", "Tee=tea", "Tasse=cup")
    equal("Command" in created, True)
    identity = next(each.glossary_id for each in CLIENT.list_glossaries() if each.name == "Command")
    equal("Tasse\tcup" in command("glossary", "entries", identity), True)
    equal(identity in command("glossary", "list"), True)
    command("glossary", "delete", identity)


@check
def source_languages():
    languages = {language.code: language.name for language in CLIENT.get_source_languages()}
    equal((languages["EN"], languages["DE"], "EN-GB" in languages), ("English", "German", False))


@check
def target_languages():
    languages = {language.code: language for language in CLIENT.get_target_languages()}
    equal(("EN-GB" in languages, "PT-BR" in languages), (True, True))
    equal((languages["DE"].supports_formality, languages["EN-GB"].supports_formality), (True, False))


def main():
    failed = 0
    for function in CHECKS:
        try:
            function()
        except Exception as error:  # every check runs, whatever fails before it
            failed += 1
            line = traceback.extract_tb(error.__traceback__)
            at = next(frame.lineno for frame in reversed(line) if frame.filename == __file__ and frame.name != "equal")
            print(f"FAILED {function.__name__} (line {at}): {type(error).__name__}: {error}")
    print(f"{len(CHECKS) - failed} of {len(CHECKS)} checks passed, client {deepl.__version__}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
