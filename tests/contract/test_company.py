"""What companies ask of a stack is a parameter: off by default, and everywhere where it is on."""

import json

import pytest

from tests.transformed import REGION, SETS, Resolver, made, resolved

pytestmark = pytest.mark.slow  # SAM's transform
GIVEN = SETS["company"]
OFF = {
    "RoleBoundaryArn",
    "KmsKeyArn",
    "WebAclArn",
    "AccessLogBucket",
    "ApiDomain",
    "ApiCertificateArn",
}


def of_type(kind, name="company"):
    return resolved(name).of_type(kind)


def test_all_of_it_is_off_by_default():
    defaults = resolved("defaults")
    assert {defaults.values[name] for name in OFF} == {""}
    assert (defaults.values["AccessLogs"], defaults.values["OpenSearchManagers"]) == ("off", 0)
    text = json.dumps(defaults.resources)
    for word in ("AWS::WAFv2", "AWS::ApiGateway::DomainName", "KMSMasterKey", "KmsMasterKeyId",
                 "KmsKeyId", "LogFilePrefix", "AccessLogSetting", '"Iops"'):  # fmt: skip
        assert word not in text, word


def test_every_role_has_the_companys_boundary():
    given = Resolver(made()["template"], GIVEN | {"ReleaseShift": "Canary10Percent5Minutes"})
    roles = given.of_type("AWS::IAM::Role")
    assert len(roles) > 25
    assert "ReleaseRole" in roles
    lacking = {
        n for n, one in roles.items() if one.get("PermissionsBoundary") != GIVEN["RoleBoundaryArn"]
    }
    assert lacking == set()
    shifts = resolved("everything").of_type("AWS::IAM::Role")["ReleaseRole"]
    assert "PermissionsBoundary" not in shifts


def test_the_key_encrypts_every_bucket_table_queue_and_log():
    key = GIVEN["KmsKeyArn"]
    for one in of_type("AWS::S3::Bucket").values():
        [rule] = one["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        applied = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key}
        assert rule == {"BucketKeyEnabled": True, "ServerSideEncryptionByDefault": applied}
    for one in of_type("AWS::DynamoDB::Table").values():
        assert one["SSESpecification"] == {
            "SSEEnabled": True,
            "SSEType": "KMS",
            "KMSMasterKeyId": key,
        }
    queues = of_type("AWS::SQS::Queue")
    assert len(queues) > 14
    for one in queues.values():
        assert (one["KmsMasterKeyId"], one["SqsManagedSseEnabled"]) == (key, False)
    for one in of_type("AWS::Logs::LogGroup").values():
        assert one["KmsKeyId"] == key


def test_without_a_key_all_is_encrypted_by_aws():
    for one in of_type("AWS::SQS::Queue", "everything").values():
        assert one["SqsManagedSseEnabled"] is True
    for one in of_type("AWS::S3::Bucket", "everything").values():
        [rule] = one["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        assert rule == {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}


def test_the_api_is_behind_the_web_acl():
    [one] = of_type("AWS::WAFv2::WebACLAssociation").values()
    api, stage = resolved("company").physical("Api"), resolved("company").values["Stage"]
    assert one == {
        "WebACLArn": GIVEN["WebAclArn"],
        "ResourceArn": f"arn:aws:apigateway:{REGION}::/restapis/{api}/stages/{stage}",
    }


def test_requests_and_reads_of_buckets_leave_lines_without_a_secret():
    [stage] = of_type("AWS::ApiGateway::Stage").values()
    logged = stage["AccessLogSetting"]
    assert logged["DestinationArn"] == resolved("company").arn("AccessLogsOfApi")
    line = json.loads(logged["Format"])
    assert {"api_request_id", "key_id", "status", "ip"} <= line.keys()
    assert not any("apiKey" in one and "apiKeyId" not in one for one in line.values())
    prefixes = {
        one["LoggingConfiguration"]["LogFilePrefix"] for one in of_type("AWS::S3::Bucket").values()
    }
    assert len(prefixes) == len(of_type("AWS::S3::Bucket")) == 2


def test_the_domain_name_leads_to_the_stage():
    [name] = of_type("AWS::ApiGateway::DomainName").values()
    assert (name["DomainName"], name["RegionalCertificateArn"]) == (
        GIVEN["ApiDomain"], GIVEN["ApiCertificateArn"]
    )  # fmt: skip
    [path] = of_type("AWS::ApiGateway::BasePathMapping").values()
    assert path == {
        "DomainName": resolved("company").physical("DomainOfApi"),
        "RestApiId": resolved("company").physical("Api"),
        "Stage": resolved("company").values["Stage"],
    }


def test_managers_and_disk_of_the_domain():
    [domain] = of_type("AWS::OpenSearchService::Domain").values()
    cluster = domain["ClusterConfig"]
    assert (cluster["DedicatedMasterEnabled"], cluster["DedicatedMasterCount"]) == (True, "3")
    assert cluster["DedicatedMasterType"].endswith(".search")
    assert domain["EBSOptions"]["Iops"] == "6000"
    [plain] = of_type("AWS::OpenSearchService::Domain", "defaults").values()
    assert plain["ClusterConfig"]["DedicatedMasterEnabled"] is False
    assert "DedicatedMasterType" not in plain["ClusterConfig"]


def test_what_costs_or_holds_something_takes_the_stacks_tags():
    taggable = set(made()["taggable"])
    kinds = {one["Type"] for one in made()["template"]["Resources"].values()}
    assert kinds - taggable == {
        "AWS::ApiGateway::BasePathMapping",
        "AWS::ApiGateway::Deployment",
        "AWS::ApiGateway::UsagePlanKey",
        "AWS::IAM::ManagedPolicy",
        "AWS::Lambda::Alias",
        "AWS::Lambda::EventInvokeConfig",
        "AWS::Lambda::LayerVersion",
        "AWS::Lambda::Permission",
        "AWS::Lambda::Version",
        "AWS::SQS::QueuePolicy",
        "AWS::WAFv2::WebACLAssociation",
    }
