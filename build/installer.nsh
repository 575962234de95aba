; An installation for all users keeps its data in one place for all who sign in: ProgramData\Holdpoint. Administrators
; and the system have all of it, the local group "Holdpoint" may read and write, others have nothing. The group begins
; with whoever works at the machine (S-1-5-4, INTERACTIVE); IT may put its own people in its place, which a later
; installation leaves as it is. A removal leaves the data and the group.
;
; Anybody may make a folder in ProgramData, and would own it. So a link there is taken away (RMDir takes no folder that
; holds anything), what is there goes to the administrators, and access is closed before the group gets its own: whatever
; step fails, it stays closed.
!macro customInstall
  ${If} $installMode == "all"
    ReadEnvStr $R8 ProgramData
    ; This is a 32-bit program; what knows local groups comes with the system's own PowerShell only.
    StrCpy $R7 "$SYSDIR"
    ${If} ${RunningX64}
      StrCpy $R7 "$WINDIR\Sysnative"
    ${EndIf}
    ${If} $R8 != ""
      RMDir "$R8\Holdpoint"
      CreateDirectory "$R8\Holdpoint"
      nsExec::ExecToLog `"$R7\icacls.exe" "$R8\Holdpoint" /setowner *S-1-5-32-544 /T /C /L /Q`
      Pop $R9
      nsExec::ExecToLog `"$R7\icacls.exe" "$R8\Holdpoint" /reset /T /C /L /Q`
      Pop $R9
      nsExec::ExecToLog `"$R7\icacls.exe" "$R8\Holdpoint" /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F`
      Pop $R9
      nsExec::ExecToLog `"$R7\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -Command "if (-not (Get-LocalGroup -Name Holdpoint -ErrorAction SilentlyContinue)) { New-LocalGroup -Name Holdpoint -Description 'May use the records of Holdpoint' | Out-Null; Add-LocalGroupMember -Group Holdpoint -Member S-1-5-4 }"`
      Pop $R9
      nsExec::ExecToLog `"$R7\icacls.exe" "$R8\Holdpoint" /grant:r Holdpoint:(OI)(CI)M`
      Pop $R9
      ${If} $R9 != "0"
        MessageBox MB_OK|MB_ICONEXCLAMATION "Only administrators can use the records in $R8\Holdpoint. Make a local group Holdpoint and let it modify that folder." /SD IDOK
      ${EndIf}
    ${EndIf}
  ${EndIf}
!macroend
