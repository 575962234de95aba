; An installation for all users keeps its data in one place for all who sign in: ProgramData\Holdpoint. Administrators
; and the system have all of it, others nothing but whoever works at the machine (S-1-5-4, INTERACTIVE), which every
; session is from its beginning. Where IT has made a local group "Holdpoint", its members take their place; a member is one
; from the next sign-in on. A group that holds INTERACTIVE itself is of a former installation and bounds nobody.
; A removal leaves the data and the group.
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
      StrCpy $R6 "*S-1-5-4"
      nsExec::ExecToLog `"$R7\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -Command "if ((Get-LocalGroup -Name Holdpoint -ErrorAction SilentlyContinue) -and -not (Get-LocalGroupMember -Name Holdpoint -ErrorAction SilentlyContinue | Where-Object { $$_.SID -eq 'S-1-5-4' })) { exit 10 }"`
      Pop $R9
      ${If} $R9 == "10"
        StrCpy $R6 "Holdpoint"
      ${EndIf}
      nsExec::ExecToLog `"$R7\icacls.exe" "$R8\Holdpoint" /grant:r $R6:(OI)(CI)M`
      Pop $R9
      ${If} $R9 != "0"
        MessageBox MB_OK|MB_ICONEXCLAMATION "Only administrators can use the records in $R8\Holdpoint. Let those who work here modify that folder." /SD IDOK
      ${EndIf}
    ${EndIf}
  ${EndIf}
  ; For commands such as `holdpoint restore`: a terminal that finds them, and no change of anybody's PATH.
  CreateShortCut "$SMPROGRAMS\Holdpoint commands.lnk" "$SYSDIR\cmd.exe" '/k set "PATH=$INSTDIR\bin;%PATH%"'
!macroend

!macro customUnInstall
  Delete "$SMPROGRAMS\Holdpoint commands.lnk"
!macroend
