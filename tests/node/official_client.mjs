// Calls every function of the public service's official Node client against running sandboxes.
//
// Usage: node official_client.mjs CLIENT ADDRESS LIMITED
//
// CLIENT is the directory with the installed package. The sandbox at ADDRESS must run with `--engine upper`,
// `--memory-job-polls 0`, no document delays, and `--memories` with one memory; the one at LIMITED also with `--character-limit 20` and
// `--document-limit 1`. Prints each check that fails, and exits with 1 if any did. tests/cli/official_clients.rs runs it, and contains
// the memory.

import { isDeepStrictEqual } from "node:util";
import { createReadStream, createWriteStream, mkdtempSync, promises, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [, , directory, address, limited] = process.argv;
const require = createRequire(join(directory, "package.json"));
const deepl = require("deepl-node");

const MEMORY = "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b";
const UNKNOWN = "11111111-2222-4333-8444-555555555555";
const files = mkdtempSync(join(tmpdir(), "node-client-"));
const checks = [];

const check = (name, work) => checks.push([name, work]);

function equal(actual, expected) {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`got ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
  }
}

async function refused(type, part, promise) {
  const error = await promise.then(
    (value) => new Error(`was accepted: ${JSON.stringify(value)}`),
    (error) => error,
  );
  if (error.constructor !== type || !error.message.includes(part)) {
    throw new Error(`${error.constructor.name}: ${error.message}; expected ${type.name} with "${part}"`);
  }
}

// Returns a client with a separate session. Without retries, unless a check requests them: every failure is visible.
function connect(session, options = {}) {
  const headers = { "X-Tulk-Sandbox-Session": session, ...options.headers };
  const server = { serverUrl: options.address ?? address, maxRetries: options.maxRetries ?? 0, minTimeout: options.minTimeout };
  return new deepl.DeepLClient(options.key ?? "sandbox", { ...server, headers });
}

function recent(time) {
  equal(time instanceof Date && Math.abs(Date.now() - time.getTime()) < 60_000, true);
}

const entriesOf = (entries) => new deepl.GlossaryEntries({ entries });
const dictionary = (source, target, entries) => ({
  sourceLangCode: source,
  targetLangCode: target,
  entries: entriesOf(entries),
});
const summaries = (dictionaries) => dictionaries.map((each) => [each.sourceLangCode, each.targetLangCode, each.entryCount]);

// Text

check("one text", async (client) => {
  const result = await client.translateText("The kettle is on.", null, "de");
  equal([result.text, result.detectedSourceLang, result.billedCharacters], ["THE KETTLE IS ON.", "en", 17]);
  equal(result.modelTypeUsed, undefined);
});

check("several texts", async (client) => {
  const results = await client.translateText(["one", "Drei ist nicht das Wort"], null, "fr");
  equal(results.map((each) => each.text), ["ONE", "DREI IST NICHT DAS WORT"]);
  equal(results[1].detectedSourceLang, "de");
});

check("options of a text", async (client) => {
  const result = await client.translateText("<p>tea <x>kept</x></p>", "en", "de", {
    splitSentences: "nonewlines",
    preserveFormatting: true,
    formality: "more",
    tagHandling: "xml",
    tagHandlingVersion: "v2",
    outlineDetection: false,
    context: "About a kitchen.",
    modelType: "quality_optimized",
    splittingTags: ["p", "q"],
    nonSplittingTags: "b,i",
    ignoreTags: ["x"],
    customInstructions: ["Use short sentences.", "Say mug."],
    extraRequestParameters: { enable_beta_languages: "1" },
  });
  equal([result.text, result.billedCharacters, result.modelTypeUsed], ["<p>TEA <x>kept</x></p>", 8, "quality_optimized"]);
});

check("every way to split sentences", async (client) => {
  for (const splitSentences of ["off", "on", "nonewlines", "default"]) {
    equal((await client.translateText("tea", null, "de", { splitSentences })).text, "TEA");
  }
});

check("HTML", async (client) => {
  const result = await client.translateText('tea<br>&amp; <i translate="no">cup</i>', null, "de", { tagHandling: "html" });
  equal(result.text, 'TEA<br>&amp; <i translate="no">cup</i>');
});

check("models", async (client) => {
  for (const [modelType, used] of [
    ["latency_optimized", "latency_optimized"],
    ["prefer_quality_optimized", "quality_optimized"],
  ]) {
    equal((await client.translateText("tea", "en", "de", { modelType })).modelTypeUsed, used);
  }
});

check("wrong requests", async (client) => {
  const { DeepLError } = deepl;
  await refused(DeepLError, "Bad request, message: Value for 'target_lang' not supported.", client.translateText("a", null, "xx"));
  await refused(DeepLError, "source_lang", client.translateText("a", "xx", "de"));
  await refused(DeepLError, "split_sentences", client.translateText("a", null, "de", { splitSentences: "x" }));
  await refused(DeepLError, "Value for 'formality' not supported.", client.translateText("a", null, "de", { formality: "x" }));
  await refused(
    DeepLError,
    "Target language does not support 'formality'., detail: target_lang tr",
    client.translateText("a", null, "tr", { formality: "more" }),
  );
  equal((await client.translateText("a", null, "tr", { formality: "prefer_more" })).text, "A");
  await refused(deepl.AuthorizationError, "Authorization failure", connect("stranger", { key: "stranger" }).getUsage());
  await refused(DeepLError, "Not found", client.getStyleRule(UNKNOWN));
});

// Faults

check("a failure is repeated", async () => {
  const headers = { "X-Tulk-Sandbox-Fault": "429;times=1;path=/v2/translate" };
  // `maxRetries` includes the first attempt.
  equal((await connect("repeated", { headers, maxRetries: 2 }).translateText("tea", null, "de")).text, "TEA");
});

check("failures have their types", async () => {
  const faulty = (fault) => connect(fault, { headers: { "X-Tulk-Sandbox-Fault": fault } });
  await refused(deepl.TooManyRequestsError, "Too many requests", faulty("429").translateText("tea", null, "de"));
  await refused(deepl.QuotaExceededError, "Quota for this billing period has been exceeded", faulty("456").getUsage());
  await refused(deepl.AuthorizationError, "Authorization failure", faulty("403").getUsage());
  await refused(deepl.DeepLError, "Service unavailable", faulty("503").getUsage());
  await refused(deepl.DeepLError, "529", faulty("529").getUsage());
  await refused(deepl.ConnectionError, "", faulty("drop").getUsage());
});

check("no answer", async () => {
  const patient = (fault, maxRetries) =>
    connect(fault, { headers: { "X-Tulk-Sandbox-Fault": fault }, minTimeout: 500, maxRetries }).getUsage();
  await refused(deepl.ConnectionError, "", patient("never", 0));
  equal((await patient("never;times=1", 2)).anyLimitReached(), false);
});

check("a document that fails by its name", async () => {
  const headers = { "X-Tulk-Sandbox-Fault": "document-error;name=bad*;message=The file is broken." };
  const client = connect("by name", { headers });
  const translate = (filename) =>
    client.translateDocument(Buffer.from("tea"), join(files, `out-${filename}`), "en", "de", { filename });
  await refused(deepl.DocumentTranslationError, "The file is broken.", translate("bad.txt"));
  equal((await translate("good.txt")).status, "done");
});

// Writing

check("rephrase", async (client) => {
  const result = await client.rephraseText("this is tea", "en-US");
  equal([result.text, result.detectedSourceLang, result.targetLang], ["THIS IS TEA", "en", "en-US"]);
  equal((await client.rephraseText("this is tea", "en")).targetLang, "en-US");
  const results = await client.rephraseText(["this is tea", "and that is a cup"]);
  equal(results.map((each) => each.text), ["THIS IS TEA", "AND THAT IS A CUP"]);
  for (const style of Object.values(deepl.WritingStyle)) await client.rephraseText("tea", "en-GB", style);
  for (const tone of Object.values(deepl.WritingTone)) await client.rephraseText("tea", "en-GB", null, tone);
});

check("rephrase, wrong", async (client) => {
  const { DeepLError, WritingStyle, WritingTone } = deepl;
  await refused(DeepLError, "Value for 'target_lang' not supported", client.rephraseText("a", "lv"));
  await refused(
    DeepLError,
    "Language ja does not support setting a tone",
    client.rephraseText("a", "ja", null, WritingTone.CONFIDENT),
  );
  await refused(
    DeepLError,
    "Language ja does not support setting a writing style",
    client.rephraseText("a", "ja", WritingStyle.BUSINESS),
  );
  await refused(
    DeepLError,
    "Both writing_style and tone defined",
    client.rephraseText("a", "de", WritingStyle.BUSINESS, WritingTone.CONFIDENT),
  );
});

// Documents

check("document by path", async (client) => {
  const [source, result] = [join(files, "path.txt"), join(files, "path-out.txt")];
  writeFileSync(source, "The kettle is on.\n");
  const status = await client.translateDocument(source, result, null, "de", { formality: "more" });
  equal(readFileSync(result, "utf8"), "THE KETTLE IS ON.\n");
  equal([status.status, status.ok(), status.done(), status.billedCharacters], ["done", true, true, 18]);
});

check("document in memory", async (client) => {
  const result = join(files, "memory-out.html");
  const source = Buffer.from("<p>tea &amp; cup</p>");
  await client.translateDocument(source, result, "en", "de", { filename: "tea.html" });
  equal(readFileSync(result, "utf8"), "<p>TEA &amp; CUP</p>");
});

check("document as a stream, in steps", async (client) => {
  const [source, result] = [join(files, "stream.txt"), join(files, "stream-out.txt")];
  writeFileSync(source, "tea\n".repeat(50_000));
  const handle = await client.uploadDocument(createReadStream(source), "en", "fr", { filename: "stream.txt" });
  const { status } = await client.isDocumentTranslationComplete(handle);
  equal([status.status, status.billedCharacters, status.secondsRemaining], ["done", 200_000, undefined]);
  await client.downloadDocument(handle, createWriteStream(result));
  equal(readFileSync(result, "utf8"), "TEA\n".repeat(50_000));
  await refused(deepl.DeepLError, "Not found", client.getDocumentStatus(handle));
  await refused(deepl.DeepLError, "Not found", client.downloadDocument(handle, join(files, "none.txt")));
});

check("document with file handles", async (client) => {
  const [source, result] = [join(files, "handle.txt"), join(files, "handle-out.txt")];
  writeFileSync(source, "tea");
  const [from, to] = [await promises.open(source, "r"), await promises.open(result, "w")];
  await client.translateDocument(from, to, null, "de", { filename: "handle.txt" });
  equal(readFileSync(result, "utf8"), "TEA");
});

check("document that fails", async (client) => {
  const result = join(files, "failed.txt");
  const failed = (content, part) =>
    refused(deepl.DocumentTranslationError, part, client.translateDocument(content, result, null, "de", { filename: "a.txt" }));
  await failed(Buffer.from("Das ist nicht der Tee"), "Source and target language");
  await failed(Buffer.from(""), "The file is empty.");
  const upload = (name, options) => client.uploadDocument(Buffer.from("tea"), null, "de", { filename: name, ...options });
  await refused(deepl.DeepLError, "Invalid file data", upload("a.invalid"));
  await refused(deepl.DeepLError, "Value for 'formality' not supported.", upload("a.txt", { formality: "x" }));
});

// Glossaries

check("v2 glossaries", async (client) => {
  const entries = { kettle: "Kessel", 'cup "A%=&"': "Tasse" };
  const glossary = await client.createGlossary("Kitchen", "en", "de", entriesOf(entries));
  const { name, ready, sourceLang, targetLang, entryCount } = glossary;
  equal([name, ready, sourceLang, targetLang, entryCount], ["Kitchen", true, "en", "de", 2]);
  recent(glossary.creationTime);
  equal(await client.getGlossary(glossary.glossaryId), glossary);
  equal(await client.listGlossaries(), [glossary]);
  equal((await client.getGlossaryEntries(glossary)).entries(), entries);
  equal((await client.translateText("a kettle", "en", "de", { glossary })).text, "A Kessel");
  const result = join(files, "glossary-out.txt");
  await client.translateDocument(Buffer.from("a kettle"), result, "en", "de", { filename: "a.txt", glossary });
  equal(readFileSync(result, "utf8"), "A Kessel");
  await client.deleteGlossary(glossary);
  equal(await client.listGlossaries(), []);
  const lines = Buffer.from('kettle,"Kessel, gross",en,de\ncup,Tasse,en,de');
  const csv = await client.createGlossaryWithCsv("Csv", "en", "de", lines);
  equal((await client.getGlossaryEntries(csv)).entries(), { kettle: "Kessel, gross", cup: "Tasse" });
  const missing = "Glossary not found";
  await refused(deepl.GlossaryNotFoundError, missing, client.getGlossary(UNKNOWN));
  await refused(deepl.GlossaryNotFoundError, missing, client.getGlossaryEntries(UNKNOWN));
  await refused(deepl.GlossaryNotFoundError, missing, client.deleteGlossary(UNKNOWN));
  await refused(deepl.DeepLError, "Bad request", client.getGlossary("invalid"));
  await refused(deepl.DeepLError, "Bad request", client.createGlossary("Kitchen", "en", "xx", entriesOf(entries)));
});

check("glossary language pairs", async (client) => {
  const pairs = (await client.getGlossaryLanguagePairs()).map((each) => `${each.sourceLang} ${each.targetLang}`);
  equal([pairs.includes("en de"), pairs.includes("de de")], [true, false]);
});

check("v3 glossaries", async (client) => {
  const given = [dictionary("en", "de", { kettle: "Kessel" }), dictionary("en", "fr", { kettle: "bouilloire" })];
  const glossary = await client.createMultilingualGlossary("Kitchen", given);
  const id = glossary.glossaryId;
  equal([glossary.name, summaries(glossary.dictionaries)], ["Kitchen", [["en", "de", 1], ["en", "fr", 1]]]);
  recent(glossary.creationTime);
  equal((await client.getMultilingualGlossary(id)).creationTime, glossary.creationTime);
  equal((await client.listMultilingualGlossaries()).map((each) => each.glossaryId), [id]);
  const entries = async (target) => (await client.getMultilingualGlossaryDictionaryEntries(id, "en", target)).entries.entries();
  equal(await entries("fr"), { kettle: "bouilloire" });
  equal((await client.updateMultilingualGlossaryName(id, "Tea kitchen")).name, "Tea kitchen");
  await client.updateMultilingualGlossaryDictionary(id, dictionary("en", "de", { cup: "Tasse" }));
  equal(await entries("de"), { kettle: "Kessel", cup: "Tasse" });
  await client.updateMultilingualGlossaryDictionaryWithCsv(id, "en", "es", 'pot,"olla, grande"\n');
  equal(await entries("es"), { pot: "olla, grande" });
  const replaced = await client.replaceMultilingualGlossaryDictionary(id, dictionary("en", "de", { pot: "Topf" }));
  equal(summaries([replaced]), [["en", "de", 1]]);
  await client.replaceMultilingualGlossaryDictionaryWithCsv(id, "en", "es", "pot,la olla\n");
  equal(await entries("es"), { pot: "la olla" });
  equal((await client.translateText("a pot", "en", "de", { glossary })).text, "A Topf");
  equal((await client.translateText("a pot", "en", "es", { glossaryIds: [id] })).text, "A la olla");
  await client.deleteMultilingualGlossaryDictionary(id, "en", "es");
  equal(summaries((await client.getMultilingualGlossary(id)).dictionaries), [["en", "fr", 1], ["en", "de", 1]].sort());
  await client.deleteMultilingualGlossary(glossary);
  await refused(deepl.GlossaryNotFoundError, "Glossary not found", client.getMultilingualGlossary(id));
  const csv = await client.createMultilingualGlossaryWithCsv("Csv", "en", "de", "kettle,Kessel\n");
  equal(summaries(csv.dictionaries), [["en", "de", 1]]);
  await refused(
    deepl.DeepLError,
    "Bad request",
    client.createMultilingualGlossary("Kitchen", [dictionary("en", "xx", { a: "b" })]),
  );
});

check("a large v3 glossary", async (client) => {
  const entries = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`source ${n}`, `target & ${n}`]));
  const glossary = await client.createMultilingualGlossary("Large", [dictionary("en", "de", entries)]);
  equal(glossary.dictionaries[0].entryCount, 10_000);
  equal((await client.getMultilingualGlossaryDictionaryEntries(glossary, "en", "de")).entries.entries(), entries);
});

// Style rules and translation memories

check("style rules", async (client) => {
  const rule = await client.createStyleRule({
    name: "House",
    language: "en",
    configured_rules: { dates_and_times: { calendar_era: "use_bc_and_ad" } },
    custom_instructions: [{ label: "Tone", prompt: "Write politely." }],
  });
  const id = rule.styleId;
  equal([rule.name, rule.language, rule.version], ["House", "en", 1]);
  equal(rule.configuredRules.datesAndTimes, { calendar_era: "use_bc_and_ad" });
  equal(rule.customInstructions.map((each) => [each.label, each.prompt]), [["Tone", "Write politely."]]);
  recent(rule.creationTime);
  recent(rule.updatedTime);
  equal((await client.getAllStyleRules(0, 25, true))[0].customInstructions.length, 1);
  equal((await client.getAllStyleRules()).map((each) => [each.styleId, each.customInstructions]), [[id, undefined]]);
  equal((await client.getStyleRule(id)).name, "House");
  equal((await client.updateStyleRuleName(id, "House style")).name, "House style");
  const changed = await client.updateStyleRuleConfiguredRules(id, { punctuation: { apostrophe: "use_curly_apostrophes" } });
  equal(changed.configuredRules.punctuation, { apostrophe: "use_curly_apostrophes" });
  const cups = { label: "Cups", prompt: "Say cup.", source_language: "de" };
  const added = await client.createStyleRuleCustomInstruction(id, cups);
  equal([added.label, added.prompt, added.sourceLanguage], ["Cups", "Say cup.", "de"]);
  equal((await client.getStyleRuleCustomInstruction(id, added.id)).prompt, "Say cup.");
  const edited = await client.updateStyleRuleCustomInstruction(id, added.id, { label: "Cups", prompt: "Say mug." });
  equal(edited.prompt, "Say mug.");
  equal((await client.translateText("tea", null, "en-GB", { styleRule: rule })).text, "TEA");
  await client.deleteStyleRuleCustomInstruction(id, added.id);
  equal((await client.getStyleRule(id)).customInstructions.map((each) => each.label), ["Tone"]);
  await client.deleteStyleRule(id);
  equal(await client.getAllStyleRules(), []);
});

check("translation memories", async (client) => {
  const [memory] = await client.listTranslationMemories(0, 10);
  equal([memory.translationMemoryId, memory.name, memory.segmentCount], [MEMORY, "Manuals", 1]);
  equal([memory.sourceLanguage, memory.targetLanguages], ["de", ["en"]]);
  const options = { translationMemory: memory, translationMemoryThreshold: 90 };
  equal((await client.translateText("Guten Tag", "de", "en-GB", options)).text, "Good day");
});

const TMX = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="de-DE" datatype="plaintext"/><body>
<tu><tuv xml:lang="de-DE"><seg>Ventil <hi>schließen</hi>.</seg></tuv>
<tuv xml:lang="en-GB"><seg>Close the valve.</seg></tuv><tuv xml:lang="fr"><seg>Fermer la vanne.</seg></tuv></tu>
<tu><tuv xml:lang="de-DE"><seg>Öl &amp; Wasser</seg></tuv><tuv xml:lang="en-GB"><seg>Oil &amp; water</seg></tuv></tu>
<tu><tuv xml:lang="de-DE"><seg>Ohne Ziel</seg></tuv></tu>
</body></tmx>
`;

check("translation memory from file to file", async (client) => {
  const [source, result] = [join(files, "pumps.tmx"), join(files, "pumps-out.tmx")];
  writeFileSync(source, TMX);
  const job = await client.importTranslationMemoryFromFilepath(source, { displayName: "Pumps", timeoutMs: 30_000 });
  equal([job.operation, job.product, job.displayName], ["import", "translation_memory", "Pumps"]);
  equal([job.sourceContentType, job.sourceContentLength], ["application/xml", Buffer.byteLength(TMX)]);
  equal([job.results[0].status, job.results[0].skippedSegmentCount], ["completed", 1]);
  const memory = await client.getTranslationMemory(job.results[0].translationMemoryId);
  equal([memory.name, memory.sourceLanguage, memory.targetLanguages, memory.segmentCount], ["Pumps", "de", ["en-gb", "fr"], 2]);
  recent(memory.creationTime);
  equal((await client.translateText("Ventil schließen.", "de", "fr", { translationMemory: memory })).text, "Fermer la vanne.");
  const exported = await client.exportTranslationMemoryToFilepath(memory, result, { timeoutMs: 30_000 });
  equal([exported.operation, exported.translationMemoryId], ["export", memory.translationMemoryId]);
  const again = await client.importTranslationMemoryFromFilepath(result, { contentType: "text/xml" });
  const copy = await client.getTranslationMemory(again.results[0].translationMemoryId);
  equal([copy.name, copy.segmentCount, again.results[0].skippedSegmentCount], ["pumps-out.tmx", 2, 0]);
  for (const each of [memory, copy.translationMemoryId, MEMORY]) await client.deleteTranslationMemory(each);
  equal(await client.listTranslationMemories(), []);
});

check("translation memory in steps", async (client) => {
  const file = Buffer.from(TMX);
  const created = await client.createTranslationMemoryImport("pumps.tmx", file.length, { displayName: "Steps" });
  equal(created.expiresAt - Date.now() > 3_500_000, true);
  const waiting = await client.getTranslationMemoryJob(created.jobId);
  equal([waiting.results[0].status, /upload/i.test(waiting.results[0].requiredAction)], ["awaiting_input", true]);
  const upload = (content, type) => client.uploadTranslationMemoryFile(created, content, type);
  await refused(deepl.DeepLError, "HTTP status: 400", upload(Buffer.from(`${TMX} `)));
  await refused(deepl.DeepLError, "HTTP status: 403", upload(file, "text/xml"));
  await client.uploadTranslationMemoryFile(created.uploadUrl, file);
  const imported = await client.isTranslationMemoryJobComplete(created.jobId, 30_000);
  const memory = imported.results[0].translationMemoryId;
  const first = await client.createTranslationMemoryExport(memory);
  equal([first.translationMemoryId, first.reusedExisting], [memory, false]);
  equal(await client.createTranslationMemoryExport(memory), { ...first, reusedExisting: true });
  const job = await client.isTranslationMemoryJobComplete(first.jobId);
  recent(job.updatedTime);
  const [one, two] = [join(files, "one.tmx"), join(files, "two.tmx")];
  await client.downloadTranslationMemoryExport(job, one);
  await client.downloadTranslationMemoryExport(job, createWriteStream(two));
  equal(readFileSync(one, "utf8"), readFileSync(two, "utf8"));
  equal(readFileSync(one, "utf8").includes("<seg>Close the valve.</seg>"), true);
});

check("translation memory segments", async (client) => {
  const unit = (n) => `<tu><tuv lang="de"><seg>Satz ${n}</seg></tuv><tuv lang="en"><seg>Sentence ${n}</seg></tuv></tu>`;
  const units = Array.from({ length: 7 }, (_, n) => unit(n)).join("");
  const file = Buffer.from(`<tmx version="1.1"><header srclang="de"/><body>${units}</body></tmx>`);
  const created = await client.createTranslationMemoryImport("seven.tmx", file.length);
  await client.uploadTranslationMemoryFile(created, file);
  const memory = (await client.isTranslationMemoryJobComplete(created.jobId)).results[0].translationMemoryId;
  await client.translateText("Satz 3", "de", "en-GB", { translationMemory: memory });
  const find = (options) => client.listTranslationMemorySegments(memory, options);
  const pages = [];
  do pages.push(await find({ pageSize: 3, pageCursor: pages.at(-1)?.nextPageCursor }));
  while (pages.at(-1).nextPageCursor);
  equal([pages.map((page) => page.segments.length), pages[0].segmentCount], [[3, 3, 1], 7]);
  const segments = pages.flatMap((page) => page.segments);
  equal([segments[3].sourceText, segments[3].targets[0].targetText], ["Satz 3", "Sentence 3"]);
  equal(segments.filter((each) => each.lastUsedTime).length, 1);
  recent(segments[3].targets[0].lastUsedTime);
  equal((await find({ filterText: "sentence 5" })).segments.map((each) => each.sourceText), ["Satz 5"]);
  equal((await find({ filterText: "sentence", filterCaseSensitive: true })).segments, []);
  await refused(deepl.DeepLError, "filter_text", find({ filterText: "x" }));
  await refused(deepl.DeepLError, "page_cursor", find({ pageCursor: pages[0].nextPageCursor, filterText: "Satz" }));
});

check("translation memories that are refused", async (client) => {
  for (const call of [
    "getTranslationMemory",
    "deleteTranslationMemory",
    "listTranslationMemorySegments",
    "createTranslationMemoryExport",
    "getTranslationMemoryJob",
  ]) {
    await refused(deepl.DeepLError, "not found", client[call](UNKNOWN));
  }
  const create = (bytes) => client.createTranslationMemoryImport("a.tmx", bytes);
  await refused(deepl.DeepLError, "source_file.content_length", create(2_000_000_000));
  const created = await create(4);
  await client.uploadTranslationMemoryFile(created, Buffer.from("<a/>"));
  const reason = "The file is not TMX: its root element is 'a'.";
  await refused(deepl.DeepLError, reason, client.isTranslationMemoryJobComplete(created.jobId));
});

// Account and languages

check("usage", async (client) => {
  await client.translateText("12345", "en", "de");
  const usage = await client.getUsage();
  equal([usage.character.count, usage.anyLimitReached(), usage.document], [5, false, undefined]);
  equal(usage.toString().startsWith("Usage this billing period:"), true);
});

check("limits", async () => {
  const client = connect("limits", { address: limited });
  const [source, result] = [Buffer.from("a".repeat(20)), join(files, "limits-out.txt")];
  const before = await client.getUsage();
  equal([before.character.limit, before.document.limit, before.document.count], [20, 1, 0]);
  await client.translateDocument(source, result, "en", "de", { filename: "a.txt" });
  const after = await client.getUsage();
  equal([after.character.limitReached(), after.document.limitReached(), after.anyLimitReached()], [true, true, true]);
  const quota = "Quota for this billing period has been exceeded";
  await refused(deepl.QuotaExceededError, quota, client.translateText("tea", null, "de"));
  await refused(deepl.QuotaExceededError, quota, client.uploadDocument(source, "en", "de", { filename: "a.txt" }));
});

check("languages", async (client) => {
  const sources = new Map((await client.getSourceLanguages()).map((each) => [each.code, each]));
  equal([sources.get("en").name, sources.has("en-GB"), sources.get("de").supportsFormality], ["English", false, undefined]);
  const targets = new Map((await client.getTargetLanguages()).map((each) => [each.code, each.supportsFormality]));
  equal([targets.has("pt-BR"), targets.get("de"), targets.get("en-GB")], [true, true, false]);
});

let failed = 0;
for (const [name, work] of checks) {
  try {
    await work(connect(name));
  } catch (error) {
    failed += 1;
    const line = error.stack.split("\n").find((line) => line.includes("official_client.mjs") && !/ (equal|refused) /.test(line));
    console.log(`FAILED ${name} (line ${/:(\d+):\d+/.exec(line ?? "")?.[1] ?? "?"}): ${error.message}`);
  }
}
rmSync(files, { recursive: true, force: true });
const { version } = require("deepl-node/package.json");
console.log(`${checks.length - failed} of ${checks.length} checks passed, client ${version}`);
process.exit(failed ? 1 : 0);
