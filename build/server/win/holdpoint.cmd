@echo off
rem Commands such as `holdpoint verify`, on the data of the service; as an administrator.
if not defined HOLDPOINT_DATA set "HOLDPOINT_DATA=%ProgramData%\Holdpoint Server\data"
"%~dp0bin\node.exe" "%~dp0dist\server\holdpoint.js" %*
exit /b %ERRORLEVEL%
