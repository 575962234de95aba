import '../../shared/gs1/application-identifiers.test.ts';
import '../../shared/gs1/check-digit.test.ts';
import '../../shared/gs1/edges.test.ts';
import '../../shared/gs1/format-gs1.test.ts';
import '../../shared/gs1/gs1-date.test.ts';
import '../../shared/gs1/messages.test.ts';
import '../../shared/gs1/parse-scan.test.ts';
