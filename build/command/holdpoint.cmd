@echo off
rem Commands such as `holdpoint restore FILE`. A program with windows is waited for in a script only.
"%~dp0..\Holdpoint.exe" --holdpoint-command -- %*
exit /b %ERRORLEVEL%
