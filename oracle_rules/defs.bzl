"""The rules of oracle_rules. Their attributes are those of docs/declare.md; our own engine reads the same declarations."""

load("//oracle_rules/private:artifacts.bzl", _oracle_candidate = "oracle_candidate", _oracle_domain_lock = "oracle_domain_lock", _oracle_fixtures = "oracle_fixtures", _oracle_freeze = "oracle_freeze", _oracle_profile = "oracle_profile", _oracle_toolchain = "oracle_toolchain")
load("//oracle_rules/private:property_test.bzl", _oracle_property_test = "declare_property_test")
load("//oracle_rules/private:providers.bzl", _OracleCandidateInfo = "OracleCandidateInfo", _OracleDomainLockInfo = "OracleDomainLockInfo", _OracleFixturesInfo = "OracleFixturesInfo", _OracleFreezeInfo = "OracleFreezeInfo", _OracleInfo = "OracleInfo", _OracleProfileInfo = "OracleProfileInfo", _OracleToolchainInfo = "OracleToolchainInfo")
load("//oracle_rules/private:suite.bzl", _oracle_suite = "oracle_suite")

oracle_candidate = _oracle_candidate
oracle_domain_lock = _oracle_domain_lock
oracle_fixtures = _oracle_fixtures
oracle_freeze = _oracle_freeze
oracle_profile = _oracle_profile
oracle_property_test = _oracle_property_test
oracle_suite = _oracle_suite
oracle_toolchain = _oracle_toolchain

OracleCandidateInfo = _OracleCandidateInfo
OracleDomainLockInfo = _OracleDomainLockInfo
OracleFixturesInfo = _OracleFixturesInfo
OracleFreezeInfo = _OracleFreezeInfo
OracleInfo = _OracleInfo
OracleProfileInfo = _OracleProfileInfo
OracleToolchainInfo = _OracleToolchainInfo
