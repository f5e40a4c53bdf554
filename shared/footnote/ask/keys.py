"""Where the steps of a question leave what the next one needs, in the artifacts bucket."""


def plan_key(question_id: str, round_: int) -> str:
    return f"questions/{question_id}/plan-{round_}.json"


def evidence_key(question_id: str, round_: int, sub_question: str) -> str:
    return f"questions/{question_id}/evidence/{round_}/{sub_question}.json"


def replies_key(question_id: str) -> str:
    return f"questions/{question_id}/replies.json"


def answer_key(question_id: str) -> str:
    return f"questions/{question_id}/answer.json"
