"""Parse step: read the uploaded file and store its canonical document. Read a long PDF in parts."""

from footnote.contracts import AnnotateRequest, ChunkRequest, ParseRequest, RemoveRequest
from footnote.ingest.read.delivery import Parsing
from footnote.metadata.sidecar import document_of
from footnote.wiring.services import Services
from footnote.wiring.step import queue_step


@queue_step
def handler(
    request: ParseRequest, services: Services
) -> list[ChunkRequest] | list[AnnotateRequest] | list[ParseRequest] | list[RemoveRequest]:
    if beside := document_of(request.key):
        return [AnnotateRequest(**request.identity | {"key": beside})]
    return Parsing(
        request=request,
        uploads=services.uploads,
        artifacts=services.artifacts,
        catalog=services.catalog,
        ocr_engines=lambda: services.ocr_engines,
        max_bytes=services.settings.max_upload_bytes,
        pages_a_part=services.settings.pages_a_part,
        ocr_pages=services.settings.ocr_pages,
    ).run()
