"""The change that CONTRIBUTING names a step: a Lambda before all others, which counts words."""

import json

from tests.conftest import ROOT
from tests.trials.edits import SHARED, Edit, Trial

_MACHINE = json.loads((ROOT / "statemachines" / "ask.asl.json").read_text())
_RULES = _MACHINE["States"]["Plan"]["Retry"]
AGAIN = ", ".join(map(json.dumps, _RULES))  # as of the step before it
STEP = Trial(
    most=7,
    code=[
        Edit(
            f"{SHARED}/ask/count.py",
            '''"""The count step: says how long a question is, before anything is planned."""

from footnote.text.language import words


def count(question: str) -> int:
    """Returns the number of words in a question."""
    return len(words(question))
''',
        ),
        Edit(
            "functions/count/app.py",
            '''"""Count step: count the words of a question."""

from footnote.ask.count import count
from footnote.contracts import CountRequest, CountResult
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: CountRequest, services: Services) -> CountResult:
    record = services.questions.get(request.tenant, request.question_id)
    return CountResult(words=count(record.question))
''',
        ),
        Edit(
            f"{SHARED}/contracts.py",
            '''class CountRequest(Value):
    """Asks how long a question is. It comes before everything else."""

    tenant: str
    question_id: str


class CountResult(Value):
    words: int


class PlanRequest(Value):
    """`run` names''',
            '''class PlanRequest(Value):
    """`run` names''',
        ),
        Edit(
            f"{SHARED}/contracts.py",
            '    "Count": (CountRequest, CountResult),\n    "Plan": (',
            '    "Plan": (',
        ),
        Edit(
            "statemachines/ask.asl.json",
            """"run.$": "States.UUID()"},
      "Next": "Count"
    },
    "Count": {
      "Type": "Task",
      "Resource": "${CountFunctionArn}",
      "TimeoutSeconds": 20,
      "Parameters": {"tenant.$": "$.tenant", "question_id.$": "$.question_id"},
      "Retry": [AGAIN],
      "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.failure", "Next": "Fail"}],
      "ResultPath": "$.counted",
      "Next": "Plan"
    },""".replace("AGAIN", AGAIN),
            """"run.$": "States.UUID()"},
      "Next": "Plan"
    },""",
        ),
        Edit(
            "template.yaml",
            """  CountFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/count
      Timeout: 15
      MemorySize: 256
      Policies:
        - Version: "2012-10-17"
          Statement:
            - {Effect: Allow, Action: ["dynamodb:GetItem"], Resource: !GetAtt QuestionsTable.Arn}
  CountVersion:
    Type: AWS::Lambda::Version
    Condition: Releases
    DeletionPolicy: Delete
    UpdateReplacePolicy: Retain
    Properties: {FunctionName: !Ref CountFunction, Description: !Ref Release}
  CountAlias:
    Type: AWS::Lambda::Alias
    Condition: Releases
    Properties:
      Name: live
      FunctionName: !Ref CountFunction
      FunctionVersion: !GetAtt CountVersion.Version
  AskMachine:
""",
            "  AskMachine:\n",
        ),
        Edit(
            "template.yaml",
            "        CountFunctionArn: &count "
            "!If [Releases, !Ref CountAlias, !GetAtt CountFunction.Arn]\n"
            "        PlanFunctionArn: &plan ",
            "        PlanFunctionArn: &plan ",
        ),
        Edit(
            "template.yaml",
            "Resource: [*count, *plan, ",
            "Resource: [*plan, ",
        ),
        Edit(
            f"{SHARED}/wiring/local_workflow.py",
            """        self._run("count", CountRequest(**who))
        planned: PlanResult = self._run(""",
            "        planned: PlanResult = self._run(",
        ),
        Edit(
            f"{SHARED}/wiring/local_workflow.py",
            "    AbandonRequest,\n    CountRequest,\n",
            "    AbandonRequest,\n",
        ),
        Edit(
            "events/count.json",
            '{"tenant": "main", "question_id": "6f1d2a0c8b7e4f5d9a3c1e2b4d6f8a90"}\n',
        ),
    ],
    asked=[
        Edit(
            "tests/contract/test_sizes.py",
            '    "items": LARGEST_NUMBER,\n    "words": LARGEST_NUMBER,\n}',
            '    "items": LARGEST_NUMBER,\n}',
        ),
        Edit(
            "tests/contract/test_deadlines.py",
            'for step in STEPS} | {"Fail", "Count"} == set(TASKS)',
            'for step in STEPS} | {"Fail"} == set(TASKS)',
        ),
        Edit(
            "docs/architecture.md",
            "    POST /questions → Count → Plan → ",
            "    POST /questions → Plan → ",
        ),
    ],
    suites=[
        "tests/contract/test_statemachines.py",
        "tests/contract/test_events.py",
        "tests/contract/test_sizes.py",
        "tests/contract/test_deadlines.py",
        "-k",
        "statemachines or state_event or has_an_event or largest_state or every_step_of",
    ],
    proof="""
from footnote.contracts import CountRequest
from footnote.service import Service
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
pipeline = Pipeline()
questions = Service(pipeline, "main", ["@all"]).questions
asked = questions.ask("What is the notice period?")
assert questions.get(asked.question_id).status == "DONE"
request = CountRequest(tenant="main", question_id=asked.question_id)
assert step_of("count").run(request, pipeline).words == 5
""",
)
