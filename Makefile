.DEFAULT_GOAL := help
.PHONY: help setup demo test versions platforms browser screens quick check trials fmt up down status logs deploy dev rights invoke bench bench-parse bench-flow eval-claims eval-wording eval-reading try-model typescript eval-retrieval eval-ask eval-whole eval-grid bench-peers bench-search chaos chaos-stack drills mutants recording dashboard bench-tightening bench-ask bench-whole bench-ingest bench-embedding bench-adding bench-soak bench-page bench-who bench-executions fuzz fuzz-api growth costs rights-table checkov audit airgap
PYTHON = .venv/bin/python
STACK = $(PYTHON) -m local.stack
TESTS = $(PYTHON) -m pytest -n auto --maxprocesses 8 --dist worksteal
NAME ?= dev
unexport PYTHONDONTWRITEBYTECODE # tests start hundreds of interpreters: each would compile the package anew
FILES ?= 5000
INVOCATIONS ?= 100000
SEED ?= 1

help: ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 14

setup: ## install everything that is missing or changed
	@python=$$(sh local/find_python.sh) && exec "$$python" -m local.setup

demo: setup ## start, deploy, add samples, ask (DOCS=folder Q="question" for your own, MODEL=ollama:llama3.2 for a model)
	@$(PYTHON) -m local.demo

REQUESTS = .footnote/requests-venv
CLIENTS = .footnote/clients-venv
NODE = .footnote/node-venv
TYPESCRIPT = clients/typescript
test: COV = --cov --cov-report= --no-skips
# a right that the template forgets fails a test, not a deployment
test: export ENFORCE_IAM ?= 1
trials: setup ## changes that CONTRIBUTING calls small, made in a copy
	@$(TESTS) tests/trials

test: setup browser check $(REQUESTS)/ready $(CLIENTS)/ready $(TYPESCRIPT)/node_modules/ready ## all tests: check, then integration and e2e on a stack of their own, and trials
	@$(STACK) run --name test -- $(PYTHON) -m tests.on_stack
	@$(PYTHON) -m coverage report --fail-under=95

versions: setup ## the suites of search on the other versions of OpenSearch that AWS has
	@$(PYTHON) -m tests.on_versions

platforms: setup ## which pins have no wheel for arm64, on Linux and macOS
	@$(PYTHON) -m local.platforms

browser: setup ## find the browser that the page's tests drive, or install Debian's Chromium
	@$(PYTHON) -m local.browser

screens: setup browser ## take pictures of the page's states for docs/page.md, on a stack of their own
	@$(STACK) run --name screens -- $(PYTHON) -m tests.e2e.screens

quick: setup ## the fast half of check: ruff, mypy, tests that take no time
	@.venv/bin/ruff check && .venv/bin/ruff format --check && .venv/bin/mypy
	@$(TESTS) tests/unit tests/contract tests/golden local/executor/tests -m "not slow"

LINT = .venv/bin/ruff check && .venv/bin/ruff format --check && .venv/bin/mypy
LINT += && SAM_CLI_TELEMETRY=0 .footnote/tools/sam/bin/sam validate --lint --region us-east-1
check: setup ## ruff, mypy, template, and all tests that need no stack
	@($(LINT)) & $(TESTS) tests/unit tests/contract tests/golden tests/chaos local/executor/tests $(COV); passed=$$?; \
	  wait $$! || { echo "ruff, mypy or the template is not content: above"; exit 1; }; \
	  exit $$passed # mypy takes a minute of one core: not before the tests, but beside

fmt: ## format, and fix what ruff can
	@.venv/bin/ruff check --fix; .venv/bin/ruff format

up: setup ## start the local stack
	@$(STACK) up --name $(NAME)

down: ## stop it and delete its data
	@$(STACK) down --name $(NAME)

status: ## what runs where, and whether it answers
	@$(STACK) status --name $(NAME)

logs: ## what servers and functions print (W=parse for one)
	@$(STACK) logs --name $(NAME) $(W)

rights: setup ## which rights of functions nothing has used (ENFORCE_IAM=1 make up deploy)
	@$(PYTHON) -m local.rights --name $(NAME)

rights-table: setup ## what fails without each statement of each role (USED=rights.jsonl of a judged stack, OUT=file)
	@POWERTOOLS_LOG_LEVEL=CRITICAL FOOTNOTE_BACKEND=memory $(PYTHON) -m tests.rights_report $(if $(USED),--used $(USED)) $(if $(OUT),--output $(OUT))

CHECKOV = .footnote/checkov-venv
checkov: setup $(CHECKOV)/ready ## checkov on the template; fails for what tests/checkov.yaml does not name (290 MB)
	@$(PYTHON) -m tests.checkov $(CHECKOV)/bin/checkov

$(CHECKOV)/ready: tests/checkov.txt
	@$(PYTHON) -m venv $(CHECKOV)
	@$(CHECKOV)/bin/pip install -q -r tests/checkov.txt && touch $@

AUDIT = .footnote/audit-venv
PINNED = constraints.txt $(wildcard layers/*/requirements.txt) $(addprefix local/pins/,localstack.txt runtime.txt sam.txt)
audit: $(AUDIT)/ready ## known weaknesses of what is pinned; asks PyPI for its advisories
	@$(AUDIT)/bin/pip-audit --strict --no-deps --disable-pip --progress-spinner off $(addprefix -r ,$(PINNED))

$(AUDIT)/ready: tests/audit.txt
	@python3 -m venv $(AUDIT)
	@$(AUDIT)/bin/pip install -q -r tests/audit.txt && touch $@

airgap: setup ## a stack of its own that adds, asks and deletes with the network cut; fails where a packet would have left
	@$(PYTHON) -m local.airgap $(STACK) run --name airgap -- $(PYTHON) -m pytest tests/e2e/test_add_and_ask.py --no-skips

deploy: up ## build template.yaml and deploy it to the stack
	@$(STACK) deploy --name $(NAME)

dev: ## after up deploy: edits in functions/ and shared/footnote/ count at the next invocation
	@$(STACK) dev --name $(NAME)

invoke: ## send events/<W>.json to its function (W=sweep)
	@$(PYTHON) -m local.invoke --name $(NAME) $(W)

chaos: ## random histories under faults, in process; everything it prints must be 0
	@$(PYTHON) -m tests.chaos.run

chaos-stack: setup ## the same on a stack of its own whose services fail
	@$(STACK) run --name chaos -- $(PYTHON) -m tests.chaos.run_stack

drills: setup ## an incident of each kind on a stack of its own: which alarm rings, which log query finds lines, what to do (ONLY=words)
	@$(STACK) run --name drills -- $(PYTHON) -m tests.drills.run --only "$(ONLY)"

mutants: setup ## small wrongs done to copies of the code: who notices, chaos or tests (ONLY=words,words)
	@$(PYTHON) -m tests.mutants.run --only "$(ONLY)"

$(REQUESTS)/ready: tests/e2e/requests.txt
	@$(PYTHON) -m venv $(REQUESTS)
	@$(REQUESTS)/bin/pip install -q --no-compile -r tests/e2e/requests.txt && touch $@

$(CLIENTS)/ready: tests/e2e/clients.txt
	@$(PYTHON) -m venv $(CLIENTS)
	@$(CLIENTS)/bin/pip install -q --no-compile -r tests/e2e/clients.txt && touch $@

$(NODE)/ready: tests/e2e/node.txt
	@$(PYTHON) -m venv $(NODE)
	@$(NODE)/bin/pip install -q --no-compile -r tests/e2e/node.txt && touch $@

$(TYPESCRIPT)/node_modules/ready: $(NODE)/ready $(TYPESCRIPT)/package-lock.json
	@PATH="$(CURDIR)/$(NODE)/bin:$$PATH" NODE_USE_SYSTEM_CA=1 npm --prefix $(TYPESCRIPT) ci --silent \
	  && touch $@ || echo "npm installed nothing: the TypeScript client is left out"

typescript: setup $(TYPESCRIPT)/node_modules/ready ## make the TypeScript client of docs/openapi.json, and run its tests
	@PATH="$(CURDIR)/$(NODE)/bin:$$PATH" && cd $(TYPESCRIPT) && npm run -s generate && npm run -s build && npm test -s

fuzz-api: setup $(REQUESTS)/ready ## thousands of requests made of docs/openapi.json, on a stack of its own: no server errors, replies as described
	@$(STACK) run --name requests -- $(PYTHON) -m pytest tests/e2e/reindexing/test_openapi_requests.py --no-skips

fuzz: MINUTES ?= 5
fuzz: ## changed files through all parsers, within a function's memory and time (MINUTES=5); fails where one breaks
	@$(PYTHON) -m tests.fuzz.run --minutes $(MINUTES)

recording: setup ## record docs/recording.svg and docs/operating.svg, two short sessions on a stack of their own
	@ANTHROPIC_API_KEY= MODEL= $(STACK) run --name recording -- $(PYTHON) -m local.recording

dashboard: setup ## draw docs/dashboard.svg, the CloudWatch dashboard as template.yaml defines it
	@$(PYTHON) -m local.dashboard

eval-claims: DATA ?= ../shared/data/claims
eval-claims: setup ## false claims that the check of sentences lets through, by kind (DATA=folder of claims)
	@$(PYTHON) -m evals.claims $(DATA)

eval-wording: DATA ?= ../shared/data/wording
eval-wording: OUT ?= .footnote/bench/wording.json
eval-wording: setup ## which sentences survive as models write them, true and false, and forms of citing (DATA=folder CITE=passages WHY=1 MODEL=a judge OUT=file AGAINST=file)
	@$(PYTHON) -m evals.wording $(DATA) --rows "$(ROWS)" --output $(OUT) $(if $(CITE),--cite $(CITE)) $(if $(WHY),--why) $(if $(AGAINST),--against $(AGAINST))

PEERS = .footnote/bench-venv
eval-reading: DATA ?= ../shared/data/loss
eval-reading: OUT ?= .footnote/bench/reading.json
eval-reading: setup $(if $(BESIDE),$(PEERS)/ready) ## words kept of a folder's files beside what independent readers show of them (DATA=folder BESIDE=peers)
	@$(PYTHON) -m evals.reading $(DATA) --output $(OUT) $(if $(BESIDE),--peers)

try-model: MODEL = qwen
try-model: DATA ?= ../shared/data/wording
try-model: OUT ?= .footnote/bench/try-model.json
try-model: setup ## a real model on the samples' questions, and as judge: what survives, times, tokens (MODEL=qwen, 1.1 GB, smollm2, 98 MB, or openai:name URL=… PROFILE=small LIMIT=2 SEED=0 THREADS=1)
	@$(if $(URL),OPENAI_BASE_URL=$(URL)) $(PYTHON) -m evals.try_model $(MODEL) --data $(DATA) --threads $(or $(THREADS),1) --output $(OUT) $(if $(PROFILE),--profile $(PROFILE)) $(if $(LIMIT),--limit $(LIMIT)) $(if $(SEED),--seed $(SEED))

RETRIEVAL = .footnote/bench/retrieval.json
eval-retrieval: DATA ?= ../shared/data
eval-retrieval: OUT ?= $(RETRIEVAL)
eval-retrieval: setup ## right pages found through /search, by strategy (DATA=folder STRATEGIES=a,b ONLY=docs OUT=file AGAINST=file ABLATE=1)
	@$(PYTHON) -m evals.retrieval $(DATA) --strategies "$(STRATEGIES)" --only "$(ONLY)" --output $(OUT) $(if $(AGAINST),--against $(AGAINST)) $(if $(ABLATE),--ablate)

eval-ask: DATA ?= ../shared/data
eval-ask: OUT ?= .footnote/bench/ask.json
eval-ask: setup ## how good answers are without a model: found, refused, cited (DATA=folder ROWS=loop ONLY=qa CORE=1 OUT=file AGAINST=file)
	@$(PYTHON) -m evals.ask $(DATA) --rows "$(ROWS)" --only "$(ONLY)" $(if $(CORE),--core) --output $(OUT) $(if $(AGAINST),--against $(AGAINST))

eval-whole: DATA ?= samples
eval-whole: OUT ?= .footnote/bench/whole.json
eval-whole: setup ## lists, counts, summaries, tables … of whole collections beside all that is true, with and without a scripted model (DATA=folder GOLD=file ROWS=keyless,scripted ONLY=list,count OUT=file)
	@$(PYTHON) -m evals.whole $(DATA) --rows "$(ROWS)" --only "$(ONLY)" --output $(OUT) $(if $(GOLD),--gold $(GOLD))

eval-grid: setup ## cells of a grid of 10 questions and 20 made-up documents that are right, with and without a scripted model
	@$(PYTHON) -m evals.grid

growth: setup ## how the time of readers, checks and patterns grows with hostile input; fails where by its square
	@$(PYTHON) -m pytest tests/unit -m growth

costs: setup ## work out the costs by size in docs/costs.md
	@$(PYTHON) -m local.costs

bench: bench-parse growth ## measure: parsing, growth, then embedding, OCR, retrieval, latency (see docs/benchmarks.md)
	@$(PYTHON) -m pytest -s tests/bench

bench-parse: setup $(PEERS)/ready ## our parsers beside others': speed, words kept, odd files; fails below its bounds
	@$(PYTHON) -m tests.bench.parsing

$(PEERS)/ready: tests/bench/peers/requirements.txt tests/bench/peers/constraints.txt
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/pip install -q -r tests/bench/peers/requirements.txt -c tests/bench/peers/constraints.txt \
	  && touch $@ || echo "peers could not be installed: they are left out"

EMBEDDING_PEER = .footnote/embedding-venv
bench-embedding: setup $(EMBEDDING_PEER)/ready ## our embedding beside sentence-transformers: pace, nDCG; fails below its bounds (6 GB)
	@$(PYTHON) -m tests.bench.embedding

$(EMBEDDING_PEER)/ready: tests/bench/peers/embedding.txt
	@$(PYTHON) -m venv $(EMBEDDING_PEER)
	@$(EMBEDDING_PEER)/bin/pip install -q -r tests/bench/peers/embedding.txt && touch $@

bench-search: CHUNKS ?= 10000,100000
bench-search: setup ## measure: memory, disk and time of searches in made-up chunks (CHUNKS=10000,100000 OUT=file)
	@$(PYTHON) -m tests.bench.search_scale --chunks $(CHUNKS) $(if $(OUT),--output $(OUT))

SEARCH_PEERS = .footnote/peers-venv
bench-peers: DATA ?= ../shared/data
bench-peers: setup $(SEARCH_PEERS)/ready ## LangChain, LlamaIndex, Haystack on the same questions (DATA=folder ONLY=docs OUT=file RETRIEVAL=our report)
	@$(PYTHON) -m tests.bench.search_peers $(DATA) --only "$(ONLY)" --beside $(RETRIEVAL) $(if $(OUT),--output $(OUT))

$(SEARCH_PEERS)/ready: tests/bench/peers/retrievers.txt tests/bench/peers/retrievers-constraints.txt
	@$(PYTHON) -m venv $(SEARCH_PEERS)
	@$(SEARCH_PEERS)/bin/pip install -q -r tests/bench/peers/retrievers.txt -c tests/bench/peers/retrievers-constraints.txt && touch $@

ADDING_PEERS = .footnote/adding-venv
bench-adding: DATA ?= ../shared/data
bench-adding: ROUNDS ?= 3
bench-adding: EVERY ?= 1
bench-adding: setup $(ADDING_PEERS)/ready ## adding a folder's PDFs beside LangChain, LlamaIndex and Haystack: processor, memory, tokens read (DATA=folder ROUNDS=3 EVERY=1 page of so many, ONLY=footnote,langchain OUT=file); fails below its bounds (6 GB)
	@$(PYTHON) -m tests.bench.adding $(DATA) --rounds $(ROUNDS) --every $(EVERY) --only "$(ONLY)" $(if $(OUT),--output $(OUT))

$(ADDING_PEERS)/ready: tests/bench/peers/retrievers.txt tests/bench/peers/embedding.txt tests/bench/peers/retrievers-constraints.txt
	@$(PYTHON) -m venv $(ADDING_PEERS)
	@$(ADDING_PEERS)/bin/pip install -q -r tests/bench/peers/retrievers.txt -r tests/bench/peers/embedding.txt -c tests/bench/peers/retrievers-constraints.txt && touch $@

bench-ingest: setup ## measure: a folder of documents through a stack of its own (DOCS=folder): seconds, and whose
	@DOCS="$(DOCS)" $(STACK) run --name ingest -- $(PYTHON) -m tests.bench.ingest

bench-flow: setup ## measure: thousands of small files of three tenants at once (FILES=5000)
	@FILES=$(FILES) $(STACK) run --name flow -- $(PYTHON) -m tests.bench.flow

bench-ask: setup ## measure: time of answers, 50 questions at once, waves and first word with a model, the state of 1,000 pages (ONLY=at-once)
	@ONLY="$(ONLY)" POWERTOOLS_LOG_LEVEL=ERROR $(STACK) run --name ask -- $(PYTHON) -m tests.bench.asking

bench-whole: SIZES ?= 10,100,1000
bench-whole: setup ## measure: lists, counts, summaries and comparisons of SIZES=10,100,1000 documents that are read whole: seconds, tokens, how far; workers killed, budgets
	@SIZES=$(SIZES) POWERTOOLS_LOG_LEVEL=ERROR $(STACK) run --name whole -- $(PYTHON) -m tests.bench.whole

bench-tightening: setup ## measure: seconds until a tightened acl holds while FILES=5000 files wait
	@FILES=$(FILES) $(STACK) run --name tightening -- $(PYTHON) -m tests.bench.tightening

bench-page: FILES = 500
bench-page: setup browser ## measure: weight, first paint, time of a switch, FILES=500 dropped on the page at once
	@FILES=$(FILES) $(STACK) run --name page -- $(PYTHON) -m tests.bench.page

bench-who: setup ## measure: what the authorizer costs a request, with a key and with a token
	@POWERTOOLS_LOG_LEVEL=ERROR $(STACK) run --name bench-who -- $(PYTHON) -m tests.bench.authorizing

bench-executions: setup ## measure: 20 files and 20 questions at once in a new account, which runs ten functions at a time; fails where something is lost; cold starts
	@CONCURRENT_EXECUTIONS=10 $(STACK) run --name executions -- $(PYTHON) -m local.executions --name executions

bench-soak: MINUTES ?= 60
bench-soak: setup ## measure: does the stack last (MINUTES=60 of adding and asking, INVOCATIONS=100000; FAULTS=1: three users under faults, SEED=1)
	@MINUTES=$(MINUTES) INVOCATIONS=$(INVOCATIONS) $(STACK) run --name soak -- $(PYTHON) -m $(if $(FAULTS),tests.chaos.soak --minutes $(MINUTES) --seed $(SEED),tests.bench.soak)
