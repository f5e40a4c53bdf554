"""Small wrongs, as a hurried change would make them. Each must be noticed.

A wrong replaces one piece of text, which stands once in its file. `test_wrongs.py` fails when code
has moved on and a wrong no longer applies: then it is written anew, not dropped.
"""

from typing import NamedTuple

PACKAGE = "shared/footnote"


class Wrong(NamedTuple):
    path: str  # in the package, or from the root where it begins with "functions/"
    right: str
    wrong: str

    @property
    def file(self) -> str:
        return self.path if self.path.startswith("functions/") else f"{PACKAGE}/{self.path}"


_RULES = "adapters/rules/catalog.py"
_CATALOG = "adapters/memory/catalog.py"
_INDEX = "adapters/memory/search.py"
_SCOPE = "adapters/memory/scope.py"
_IDENTITY = "model/identity.py"
_VISIBILITY = "store/visibility.py"
_KEYS = "store/keys.py"
_ANNOTATE = "ingest/upkeep/annotate.py"
_COMPARE = "ingest/upkeep/compare.py"
_FAILURE = "ingest/upkeep/failure.py"
_RESUME = "ingest/upkeep/resume.py"
_SETTLE = "ingest/upkeep/settle.py"
_SWEEP = "ingest/upkeep/sweep.py"
_INDEXING = "ingest/index/delivery.py"
_READING = "ingest/read/delivery.py"
_LONG = "ingest/read/long_pdf.py"
_SIDECAR = "metadata/sidecar.py"
_STEP = "wiring/step.py"
_AUTHORIZE = "api/authorize.py"
_CALLER = "api/caller.py"
_ONCE = "api/once.py"
_WHO = "api/who.py"
_CLOSED = "ask/question/closed.py"
_LIMITS = "ask/question/usage_limits.py"
_READER = "reading/document_reader.py"
_SERVICE = "service/__init__.py"
_QUESTIONS = "service/question_service.py"
_WEBHOOK = "webhook.py"

FENCE = (
    Wrong(_IDENTITY, 'sequencer.upper().ljust(32, "0")', 'sequencer.upper().rjust(32, "0")'),
    Wrong(_IDENTITY, 'sequencer.upper().ljust(32, "0")', "sequencer.upper()"),
    Wrong(
        _RULES,
        "if pad_sequencer(stored.sequencer) < pad_sequencer(revision.sequencer):\n"
        "        comes_again",
        "if stored.sequencer != revision.sequencer:\n        comes_again",
    ),
    Wrong(_RULES, "if stored.version == revision.version and not comes_again:", "if False:"),
    Wrong(_RULES, 'comes_again = stored.status == "DELETED" or', "comes_again ="),
    Wrong(
        _RULES,
        "    refuse_older(stored, revision)\n    if stored.status in FINAL",
        "    if stored.status in FINAL",
    ),
    Wrong(_RULES, 'return stored.status in ("FAILED", "UNSUPPORTED")', "return False"),
    Wrong(_RULES, 'return stored.status in ("FAILED", "UNSUPPORTED")', "return True"),
    Wrong(
        _RULES, "    refuse_older(stored, revision)\n    if pad_sequencer", "    if pad_sequencer"
    ),
    Wrong(_RULES, "if stored.status in FINAL and stored.status != status:", "if False:"),
    Wrong(
        _RULES,
        'FINAL: frozenset[Status] = frozenset({"READY", "DELETED"})',
        'FINAL: frozenset[Status] = frozenset({"READY"})',
    ),
    Wrong(
        _RULES,
        'FINAL: frozenset[Status] = frozenset({"READY", "DELETED"})',
        'FINAL: frozenset[Status] = frozenset({"DELETED"})',
    ),
    Wrong(_RULES, "if stored.status not in REOPENABLE:", "if False:"),
    Wrong(
        _RULES,
        "if pad_sequencer(stored.sequencer) > pad_sequencer(revision.sequencer):",
        "if pad_sequencer(stored.sequencer) >= pad_sequencer(revision.sequencer):",
    ),
    Wrong(
        _RULES,
        "if pad_sequencer(stored.sequencer) > pad_sequencer(revision.sequencer):",
        "if stored.sequencer > revision.sequencer + '~':",
    ),
)

CATALOG = (
    Wrong(_CATALOG, 'live = stored.live_version if stored else ""', 'live = ""'),
    Wrong(_CATALOG, "if stored.annotation != record.annotation:", "if False:"),
    Wrong(_CATALOG, "annotation=stored.annotation + 1", "annotation=stored.annotation"),
    Wrong(
        _CATALOG,
        "done = tuple(sorted({*stored.parts_done, part}))",
        "done = (*stored.parts_done, part)",
    ),
    Wrong(
        _CATALOG,
        'status="READY", live_version=revision.version, error=None',
        'status="READY", live_version=stored.live_version or revision.version, error=None',
    ),
    Wrong(
        _CATALOG,
        "stored, status=status, parts_done=(), requeued=False",
        "stored, status=status, requeued=False",
    ),
    Wrong(_CATALOG, "            refuse_older(stored, revision)\n", "            pass\n"),
    Wrong(_CATALOG, "sidecar=stored.sidecar if stored else sidecar", "sidecar=sidecar"),
    Wrong(
        _CATALOG,
        "if may_read(self._records[document_id].sidecar.acl, groups)",
        "if groups is not None",
    ),
    Wrong(
        _CATALOG,
        "origin=stored.origin if stored else revision.sequencer",
        "origin=revision.sequencer",
    ),
)

WHO_READS = (
    Wrong(
        _IDENTITY,
        "return acl is None or ALL in groups or not set(acl).isdisjoint(groups)",
        "return not acl or ALL in groups or not set(acl).isdisjoint(groups)",
    ),
    Wrong(
        _IDENTITY,
        "return acl is None or ALL in groups or not set(acl).isdisjoint(groups)",
        "return acl is None or ALL in groups or set(acl) <= set(groups)",
    ),
    Wrong(
        _SIDECAR, '        acl=(),\n        problem=f"The sidecar', '        problem=f"The sidecar'
    ),
    Wrong(_SIDECAR, "        if there.size > MAX_BYTES:", "        if False:"),
    Wrong(
        _SIDECAR,
        "if not isinstance(groups, list) or len(groups) > MAX_GROUPS:",
        "if len(groups) > MAX_GROUPS:",
    ),
    Wrong(_ANNOTATE, "there = sidecar_at(uploads, key)", "there = record.sidecar"),
    Wrong(
        _ANNOTATE,
        "        if there == record.sidecar:\n            return record\n",
        "        if record.sidecar.version:\n            return record\n",
    ),
    Wrong(_ANNOTATE, '        if record.status == "DELETED":\n            return None\n', ""),
    Wrong(_ANNOTATE, "        acl=record.sidecar.acl,\n", ""),
    Wrong(
        _ANNOTATE,
        "merge_attributes((record.sidecar.attributes, _own_metadata(artifacts, revision)))",
        "merge_attributes((_own_metadata(artifacts, revision), record.sidecar.attributes))",
    ),
    Wrong(_ANNOTATE, "if record.annotation != number:", "if False:"),
    Wrong(
        _INDEX,
        "and stored.annotation.number < annotation.number",
        "and stored.annotation.number <= annotation.number + 9",
    ),
    Wrong(_SCOPE, "        and may_read(indexed.annotation.acl, scope.groups)\n", ""),
    Wrong(
        _SCOPE,
        "        tenant == scope.tenant\n",
        "        tenant.startswith(scope.tenant)\n",
    ),
    Wrong(
        "functions/annotate/app.py",
        "for revision in revisions(services.artifacts, record):",
        "for revision in revisions(services.artifacts, record)[1:]:",
    ),
)

PUBLISH = (
    Wrong(_INDEXING, "before or self._indexed()", "self._indexed()"),
    Wrong(_INDEXING, "if not is_live(self.catalog, request):", "if False:"),
    Wrong(_INDEXING, "if not is_live(self.catalog, request):", "if True:"),
    Wrong(_INDEXING, "            self.index.remove_older(request)\n", "            pass\n"),
    Wrong(_INDEXING, "            keys.remove_older(self.artifacts, request)\n", ""),
    Wrong(
        _INDEXING,
        "if len(record.parts_done) < request.parts:",
        "if len(record.parts_done) < request.parts - 1:",
    ),
    Wrong(
        _INDEXING,
        "if len(record.parts_done) < request.parts:",
        "if request.part + 1 < request.parts:",
    ),
    Wrong(
        _INDEXING,
        "            catch_up(self.catalog, self.artifacts, self.index,"
        " request.revision, note.number)\n",
        "",
    ),
    Wrong(
        _VISIBILITY,
        "return live.get(revision.document_id) == revision.version",
        "return revision.document_id in live",
    ),
    Wrong(
        _VISIBILITY,
        "if upload is None or upload.version != revision.version:",
        "if upload is None:",
    ),
    Wrong(_KEYS, 'if key.split("/")[2] < pad_sequencer(revision.sequencer)', "if True"),
    Wrong(
        "ask/find/search.py",
        "[one for one in candidates if versions.get(one.document_id) == one.version]",
        "[one for one in candidates if one.document_id in versions]",
    ),
    Wrong(
        _INDEX,
        "lambda stored: pad_sequencer(stored.sequencer) < newest",
        "lambda stored: pad_sequencer(stored.sequencer) <= newest",
    ),
    Wrong(_INDEX, "_event_key(stored) == _event_key(revision))", "True)"),
)

READ = (
    Wrong(_READING, "note_sidecar(self.uploads, self.catalog, request.key)", "None"),
    Wrong(
        _READING,
        "self.catalog.receive(request, request.size, sidecar_at(self.uploads, request.key))",
        "self.catalog.receive(request, request.size)",
    ),
    Wrong(
        _READING,
        "        there = must_be_there(self.uploads, self.request)\n",
        "        there = self.uploads.current(self.request.key)\n",
    ),
    Wrong(_LONG, "return chosen if reached >= pages else None", "return chosen or None"),
    Wrong(
        _LONG,
        "    if missing := pages_left(request, artifacts):\n"
        '        return [request.model_copy(update={"part": missing, "lost": False})]\n',
        "",
    ),
    Wrong(_LONG, "        if span[0] > reached + 1:\n            return None\n", ""),
    Wrong("functions/remove/app.py", "        services.index.remove_older(record.revision)\n", ""),
    Wrong(
        "functions/remove/app.py",
        "        keys.remove_older(services.artifacts, record.revision)\n",
        "",
    ),
    Wrong("functions/remove/app.py", "    return messages\n", "    return []\n"),
    Wrong(
        _SETTLE,
        "if there is not None and not (record and is_serving_removed(record, request, there)):",
        "if there is not None and record and record.version == there.version:",
    ),
    Wrong(_SETTLE, "return bool(live) and removed and live != there.version", "return False"),
    Wrong(_SETTLE, "    if record and record.status not in TERMINAL:", "    if False:"),
    Wrong(
        _READING,
        '            return [RemoveRequest(**self.request.identity | {"version": ""})]\n',
        "            raise\n",
    ),
    Wrong(
        _READING,
        'RemoveRequest(**self.request.identity | {"version": ""})',
        "RemoveRequest(**self.request.identity)",
    ),
    Wrong(_VISIBILITY, "        keys.remove_own(artifacts, revision)\n", ""),
    Wrong(
        _VISIBILITY,
        "return is_newer and record.live_version != revision.version",
        "return is_newer",
    ),
    Wrong(
        "functions/chunk/app.py",
        "facts = Facts(chunks=len(chunks), parts=len(stored)",
        "facts = Facts(chunks=len(chunks) + 1, parts=len(stored)",
    ),
)

QUEUES = (
    Wrong(_STEP, "        return not failed\n", "        return True\n"),
    Wrong(
        _STEP,
        "if isinstance(error, UnavailableError) and put_off_for(services, request, error):\n",
        "if isinstance(error, UnavailableError):\n",
    ),
    Wrong(
        _STEP,
        "failed = [failure for failure in failed if not self._give_up(*failure, services)]",
        "pass",
    ),
    Wrong(_FAILURE, "    queues.send(QUEUES[type(request)], [again], delay)\n", ""),
    Wrong(
        _FAILURE, 'update={"waits": request.waits + 1}', 'update={"waits": 99, "sequencer": "0"}'
    ),
    Wrong(
        _FAILURE,
        'status: Status = "DELETED" if isinstance(request, RemoveRequest) else "FAILED"',
        'status: Status = "FAILED"',
    ),
    Wrong(
        _FAILURE,
        "pad_sequencer(record.sequencer) == pad_sequencer(request.sequencer)\n"
        "        and record.status in TERMINAL",
        "record.status in TERMINAL",
    ),
    Wrong(_RESUME, "if part not in record.parts_done", "if part in record.parts_done"),
    Wrong(_RESUME, "for part in missing or [0]", "for part in missing"),
)

UPKEEP = (
    Wrong(_COMPARE, "earlier + 1:0", "earlier:0"),
    Wrong(
        _COMPARE,
        'or record.status == "DELETED" or record.version != upload.version',
        "or record.version != upload.version",
    ),
    Wrong(
        _COMPARE,
        "return revision.version != record.live_version and not _is_current(record, revision)",
        "return revision.version != record.version",
    ),
    Wrong(
        _COMPARE,
        'return record.status == "DELETED" or folder != event_folder(record.revision)',
        "return folder != event_folder(record.revision)",
    ),
    Wrong(
        _SWEEP,
        "if there and is_missed(record, there) and self._event_is_late(there):",
        "if there and is_missed(record, there):",
    ),
    Wrong(
        _SWEEP,
        "            if (there := self.uploads.current(record.key)) is None:",
        "            if (there := self.uploads.current(record.key)) is None and record.error:",
    ),
    Wrong(_SWEEP, "            self._requeue(record)\n", "            pass\n"),
    Wrong(
        _SWEEP,
        "        if indexed > record.chunks:\n            self.index.remove(record.revision)\n",
        "",
    ),
    Wrong(_SWEEP, "        return behind and self._annotate(record)", "        return False"),
)

PIPELINE = (*FENCE, *CATALOG, *WHO_READS, *PUBLISH, *READ, *QUEUES, *UPKEEP)
"""What chaos can notice, too: the wrongs in the adding path."""

WHO_ASKS = (
    Wrong(_AUTHORIZE, "        if key == own:  #", "        if False:  #"),
    Wrong(_AUTHORIZE, "if len(keys) + len(tokens) != 1:", "if not keys and not tokens:"),
    Wrong(_AUTHORIZE, 'return answer("Deny", where', 'return answer("Allow", where'),
    Wrong(_WHO, "who.expires is not None and who.expires <= now:", "who.expires == 0:"),
    Wrong(_WHO, 'groups=tuple(json.loads(claims["groups"])),', 'groups=("@all",),'),
    Wrong(
        _CALLER,
        "Service(services(), who.tenant, who.groups, who.person)",
        'Service(services(), who.tenant, ("@all",), who.person)',
    ),
    Wrong(
        _CALLER,
        'deployment.usage_limits.take_request(who.tenant, who.person, by_key=who.by == "key")',
        "pass",
    ),
    Wrong("api/resolver.py", 'headers | {"Vary": ["Origin"]}', "headers"),
)

WHOSE = (
    Wrong(_SERVICE, "digest(self._who.tenant, *sorted(", "digest(*sorted("),
    Wrong(_SERVICE, "*sorted(self._who.groups), route", "route"),
    Wrong(_SERVICE, "Reader(self.documents.present,", "Reader(self.documents.get,"),
    Wrong(
        "service/document_service.py",
        "return of_tenant and may_read(record.sidecar.acl, self._groups)",
        "return may_read(record.sidecar.acl, self._groups)",
    ),
    Wrong(
        "service/document_service.py",
        "must_be_writable(services.catalog, ",
        "dict(); print(services.catalog, ",
    ),
    Wrong(
        "metadata/access.py",
        "mark is None or acl is None or",
        "mark or",
    ),
    Wrong(
        "service/batch_service.py",
        "if not covers(self._who.groups, batch.groups):",
        "if False:",
    ),
    Wrong("store/batches.py", "if batch.tenant == tenant:", "if batch.documents:"),
    Wrong(_QUESTIONS, "if not covers(self._groups, record.scope.groups):", "if False:"),
    Wrong(_QUESTIONS, "if is_closed(record):  # its", "if False:  # its"),
    Wrong(
        _QUESTIONS,
        "[entry for entry in feedback if covers(self._groups, entry.groups)]",
        "list(feedback)",
    ),
    Wrong(
        _QUESTIONS, "            undo.callback(limits.give_back, record)\n", "            pass\n"
    ),
    Wrong(_CLOSED, "catalog.visible_versions(cited, groups)", "catalog.live_versions(cited)"),
    Wrong(_CLOSED, '"status": "FAILED", "answer": None,', '"status": "FAILED",'),
    Wrong(
        "ask/question/stop.py",
        "return questions.finish(record.model_copy(",
        "return (record.model_copy(",
    ),
)

LIMITS = (
    Wrong(_LIMITS, "day.until, share.most or None):", "day.until, None):"),
    Wrong(_LIMITS, 'digest("person", tenant, person)', 'digest("person", person)'),
    Wrong(_LIMITS, "            self._give_back(taken, day)\n", "            pass\n"),
    Wrong(_LIMITS, "1, day.until, most=1):", "1, day.until):"),
    Wrong(_ONCE, "if earlier.digest != content:", "if False:"),
    Wrong(_ONCE, "        undo.callback(repeats.release, name, holder)\n", "        pass\n"),
)

SIGNED = (
    Wrong(_WEBHOOK, "digest(wanted.encode(), signed.", "digest(wanted[:9].encode(), signed[:9]."),
    Wrong(_WEBHOOK, "if abs(moment - int(timestamp)) > WINDOW:", "if False:"),
    Wrong(
        _WEBHOOK,
        "if abs(moment - int(timestamp)) > WINDOW:",
        "if moment - int(timestamp) > WINDOW:",
    ),
    Wrong(_WEBHOOK, 'signed = timestamp.encode() + b"." + body', "signed = body"),
    Wrong(_WEBHOOK, "    if not secret:  #", "    if False:  #"),
    Wrong(_WEBHOOK, 'or found.get("type") != given.get(EVENT):', "or False:"),
)

SHOWN = (
    Wrong(_READER, "document_id != citation.document_id:", "document_id == '':"),
    Wrong(_READER, "if citation and citation.version != chosen:", "if False:"),
    Wrong(_READER, "showable = media_type in SHOWN", 'showable = media_type != "text/html"'),
    Wrong("reading/pictures.py", "if self._now - stored.drawn > KEPT:", "if False:"),
    Wrong("ingest/draw/inside.py", "if path == self._wanted:", "if path.endswith(name):"),
    Wrong("mcp/tool_table.py", "if inputs.document.endswith(SUFFIX):", "if False:"),
    Wrong("mcp/over_http.py", 'if event["httpMethod"] == "POST":', "if True:"),
)

FACES = (*WHO_ASKS, *WHOSE, *LIMITS, *SIGNED, *SHOWN)
"""What only tests can notice: who asks, what they may see and use, what leaves, what is shown."""

WRONGS = (*PIPELINE, *FACES)
