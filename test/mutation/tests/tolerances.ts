import '../../shared/tolerance.test.ts';
